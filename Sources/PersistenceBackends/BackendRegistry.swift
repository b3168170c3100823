import MenuModel

/// The backends that come with the package.
public enum BackendRegistry {
  /// Every backend of menus, in the order in which reports show them.
  public static let all: [BackendEntry<Menu>] = [
    .json,
    .plist,
    .sqlite,
    .memory,
    .sqliteBlob,
    .sqliteDocument,
    .lmdb,
    .protobuf,
  ]
}
