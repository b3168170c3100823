import MenuModel

/// The backends that come with the package.
public enum BackendRegistry {
  /// Every backend of menus, in the order in which reports show them.
  public static let all: [BackendEntry<Menu>] = everywhere + AppleBackends.all

  private static let everywhere: [BackendEntry<Menu>] = [
    .json,
    .plist,
    .sqlite,
    .memory,
    .sqliteRecords,
    .sqliteDocument,
    .sqliteBlob,
    .objectGraph,
    .objectGraphFaulting,
    .cachedJSON,
    .rawResponse,
    .protobuf,
    .lmdb,
    .jsonZstd,
    .flat,
    .userDefaults,
  ]
}
