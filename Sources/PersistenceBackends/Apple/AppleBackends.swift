import MenuModel

/// The place for storages that only Apple's systems have: Core Data and SwiftData.
///
/// None is written: the project is built and run on Linux, and does not list what it has not run. To
/// add one on a Mac:
/// 1. a file in this folder, wholly within `#if canImport(CoreData)` or `#if canImport(SwiftData)`,
///    that holds the backend and `extension BackendEntry where Document == Menu` with its entry;
/// 2. its entry in the list of its framework below;
/// 3. the laws, which run over ``BackendRegistry/all`` and so over it: `scripts/test`.
///
/// `object-graph` and `object-graph-faulting` have Core Data's shape and run everywhere.
public enum AppleBackends {
  /// The entries that the system at hand has; none on Linux.
  public static let all: [BackendEntry<Menu>] = coreData + swiftData

  #if canImport(CoreData)
    private static let coreData: [BackendEntry<Menu>] = []
  #else
    private static let coreData: [BackendEntry<Menu>] = []
  #endif

  #if canImport(SwiftData)
    private static let swiftData: [BackendEntry<Menu>] = []
  #else
    private static let swiftData: [BackendEntry<Menu>] = []
  #endif
}
