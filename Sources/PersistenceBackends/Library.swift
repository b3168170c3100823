/// A library that a backend stands on, as `bench list backends --verbose` names it.
public struct Library: Hashable, Sendable {
  /// Its name, with what it wraps: `GRDB (SQLite)`.
  public let name: String
  /// Its licence's SPDX identifier, or `public domain`.
  public let licence: String
  /// The id under which `scripts/measure-libraries` measures what it adds to a binary; nil where it
  /// comes with the system or with Swift.
  public let id: String?

  /// Describes a library.
  public init(name: String, licence: String, id: String? = nil) {
    self.name = name
    self.licence = licence
    self.id = id
  }
}

extension Library {
  /// No library: the package's own code.
  public static let none = Library(name: "none", licence: "the project's own")
  /// Foundation, which comes with Swift.
  public static let foundation = Library(name: "Foundation", licence: "Apache-2.0")
  /// GRDB over the system's SQLite.
  public static let grdb = Library(name: "GRDB (SQLite)", licence: "MIT", id: "grdb")
  /// LMDB over the system's memory map.
  public static let lmdb = Library(name: "LMDB", licence: "OLDAP-2.8", id: "lmdb")
  /// The Swift library of Protocol Buffers, Apple's.
  public static let swiftProtobuf = Library(
    name: "swift-protobuf", licence: "Apache-2.0", id: "swift-protobuf")
}
