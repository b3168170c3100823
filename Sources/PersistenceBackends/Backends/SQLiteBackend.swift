import MenuModel

extension BackendEntry where Document == Menu {
  /// Placeholder until the normalised schema is in.
  public static var sqlite: Self { .memory }
}
