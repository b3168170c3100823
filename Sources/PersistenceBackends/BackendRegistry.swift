@_exported import BackendKit
@_exported import LMDBBackends
import MenuModel
@_exported import ProtobufBackends
@_exported import SQLBackends
@_exported import SimdjsonBackends
@_exported import ZstdBackends

/// The backends of the package, and the codecs and places that can be combined into others.
public enum BackendRegistry {
  /// Every backend of menus, in the order of reports.
  ///
  /// Core Data and SwiftData are missing, because the project runs on Linux and lists only what it has
  /// run. `object-graph` and `object-graph-faulting` model the structure of Core Data.
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
    .rawSimd,
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
  public static let places: [PlaceEntry] = [
    .file, .response, .held, .sqliteRow, .lmdb, .userDefaults, .memory,
  ]
}
