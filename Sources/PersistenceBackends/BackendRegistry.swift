@_exported import BackendKit
@_exported import LMDBBackends
import MenuModel
@_exported import ProtobufBackends
@_exported import SQLBackends
@_exported import SimdjsonBackends
@_exported import ZstdBackends

/// The backends that come with the package, and the codecs and places of which further ones can be made.
public enum BackendRegistry {
  /// Every backend of menus, in the order in which reports show them.
  ///
  /// Core Data and SwiftData are not among them: the project is built and run on Linux, and does not
  /// list what it has not run. `object-graph` and `object-graph-faulting` have Core Data's shape.
  public static let all: [BackendEntry<Menu>] = [
    .json,
    .plist,
    .sqlite,
    .memory,
    .sqliteGRDB,
    .sqliteRecords,
    .sqliteBlob,
    .objectGraph,
    .objectGraphFaulting,
    .cachedJSON,
    .rawResponse,
    .protobuf,
    .lmdb,
    .jsonZstd,
    .jsonSimd,
    .userDefaults,
  ]
  /// Every codec, in the order of `bench list`.
  public static let codecs: [CodecEntry<Menu>] = [
    .json, .jsonSimd, .jsonZstd, .plist, .protobuf,
  ]

  /// Every place, in the same order.
  public static let places: [PlaceEntry] = [.file, .sqliteRow, .lmdb, .userDefaults, .memory]
}
