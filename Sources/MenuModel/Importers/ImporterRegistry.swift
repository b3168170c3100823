/// Every importer there is.
public enum ImporterRegistry {
  /// The importers, in the order to ask them in; add yours here.
  public static let all: [any MenuImporter] = [
    OwnImporter(),
    DominosImporter(),
  ]
}
