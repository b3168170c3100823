import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `flat`: our own binary format, read in place.
  public static var flat: Self {
    Self(
      id: "flat",
      summary: "our own binary with a string table, read in place from a mapped file: what is "
        + "attainable",
      caveat: "flat keeps equal texts and equal lists once, in the file and in what it decodes, "
        + "whatever the menu repeats; only a whole read checks the file's checksum",
      library: Library.none,
      promises: [.atomic, .durable, .partialRead, .query, .concurrentReader]
    ) { FlatBackend($0) }
  }
}

/// A menu in one file of a format of our own, described to the byte in `Flat/FORMAT.md`.
///
/// A whole read maps the file, compares its checksum and hands out the mapping; parts are read in
/// place and checked as they are touched, record by record, so damage that leaves every number
/// within its bounds, such as a flipped bit of a price, shows in a whole read only.
public final class FlatBackend: MappedBackend {
  let store: StoreContext
  let file: FlatFile
  let meter = FlatMeter()
  private var image: (mapping: MappedFile, image: FlatImage)?

  /// Keeps the menu in `menu.flat` in the store's folder; nothing is opened.
  public init(_ store: StoreContext) {
    self.store = store
    file = FlatFile(store, name: "menu.flat")
  }

  /// The menu as the bytes of a file.
  ///
  /// - Throws: ``StorageError`` where the menu has more of something than the format can count.
  public func encode(_ document: Menu) throws -> Data {
    do {
      return try FlatEncoder.encode(document)
    } catch let limit as FlatLimit {
      throw StorageError(operation: "encode", path: file.path, reason: limit.description)
    }
  }

  /// Replaces the file.
  public func write(_ payload: Data) throws { try payload.withUnsafeBytes { try file.write($0) } }

  /// The mapped file, checked as a whole.
  ///
  /// - Throws: ``StorageError`` where there is none, or it is damaged, half written, newer or another
  ///   program's.
  public func read() throws -> Data {
    let source = try source()
    meter.bytes += source.image.bytes.count
    try readingFlat("read", file.path) { try source.image.verify() }
    return source.image.data()
  }

  /// The menu that the bytes hold. The bytes of a mapping were counted when ``read()`` checked them.
  ///
  /// - Throws: ``StorageError`` where the bytes contradict the format.
  public func decode(_ payload: Data) throws -> Menu {
    try payload.withUnsafeBytes { bytes in
      try readingFlat("decode", file.path) { try FlatDecoder.menu(of: FlatImage(bytes)) }
    }
  }

  /// The number of bytes.
  public func size(of payload: Data) -> Size { .bytes(payload.count) }

  /// The file's length.
  public func storedSize() throws -> Size { .bytes(try file.length()) }

  /// Lets go of the mapping.
  public func dropCaches() throws {
    image = nil
    file.drop()
  }

  /// Lets go of the mapping.
  public func close() throws { try dropCaches() }

  /// Mapping a file takes its header; a whole read and a patch take all of it; parts take the records
  /// that they touch, and for a text the two numbers that say where it stands, and its bytes.
  public var mappedBytesRead: Int { meter.bytes }

  /// The file as it is now, mapped.
  func source() throws -> FlatSource {
    let mapping = try file.mapping()
    if let image, image.mapping === mapping {
      return FlatSource(image: image.image, path: file.path, meter: meter)
    }
    let image = try readingFlat("open", file.path) {
      try FlatImage(mapping.bytes, owner: mapping)
    }
    meter.bytes += FlatFormat.headerLength
    self.image = (mapping, image)
    return FlatSource(image: image, path: file.path, meter: meter)
  }
}
