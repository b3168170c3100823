import MenuModel

/// A product in place: a view of the file's bytes, which it keeps mapped.
public struct FlatProductView: NamedPart {
  let source: FlatSource
  let record: FlatProduct

  /// Feeds every field, from the file to the checksum.
  ///
  /// - Throws: ``StorageError`` where the bytes contradict the format.
  public func visit(_ checksum: inout Checksum) throws {
    try source.read { try $0.add(record, to: &checksum) }
  }

  /// Feeds the name, from the file to the checksum.
  ///
  /// - Throws: ``StorageError`` where the bytes contradict the format.
  public func visitName(_ checksum: inout Checksum) throws {
    try source.read { try $0.add(record.name, to: &checksum) }
  }
}

/// A combo in place, with its options and products: a view of the file's bytes, which it keeps
/// mapped. They are looked up while it is visited.
public struct FlatComboView: MenuPart {
  let source: FlatSource
  let record: FlatCombo

  /// Feeds every field, from the file to the checksum.
  ///
  /// - Throws: ``StorageError`` where the bytes contradict the format.
  public func visit(_ checksum: inout Checksum) throws {
    try source.read { try $0.add(record, to: &checksum) }
  }
}

/// What an app shows first, in place: a view of the file's bytes, which it keeps mapped.
public struct FlatScreenView: MenuPart {
  let source: FlatSource

  /// Feeds every field, from the file to the checksum.
  ///
  /// - Throws: ``StorageError`` where the bytes contradict the format.
  public func visit(_ checksum: inout Checksum) throws {
    try source.read { try $0.addFirstScreen(to: &checksum) }
  }
}

/// A mapped file that parts are read from: its bytes, its name, and who counts.
struct FlatSource {
  let image: FlatImage
  let path: String
  let meter: FlatMeter

  /// Reads in place; what was taken is counted, and what contradicts the format becomes a
  /// ``StorageError``.
  @inline(__always)
  func read<Result>(_ body: (inout FlatReader) throws -> Result) throws -> Result {
    var reader = FlatReader(image)
    defer { meter.bytes += reader.bytesRead }
    return try readingFlat("read", path) { try body(&reader) }
  }
}

/// Counts the bytes taken from mappings.
final class FlatMeter {
  var bytes = 0
}
