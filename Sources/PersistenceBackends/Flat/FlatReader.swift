import MenuModel

/// Reads parts of a menu in place and counts the bytes of what it takes: the records, and for a text
/// the two numbers that say where it stands, and its bytes. What is taken twice counts twice.
struct FlatReader {
  let image: FlatImage
  private(set) var bytesRead = 0

  init(_ image: FlatImage) { self.image = image }

  /// One record.
  @inline(__always)
  mutating func record<Record>(
    _ index: UInt32, of section: FlatSection<Record>
  ) throws -> Record {
    bytesRead += Record.size
    return try section.record(index)
  }

  /// Some records.
  @inline(__always)
  mutating func run<Record>(
    _ range: FlatRange, of section: FlatSection<Record>
  ) throws -> FlatRun<Record> {
    bytesRead += Int(range.count) * Record.size
    return try section.run(range)
  }

  /// The bytes of a text.
  @inline(__always)
  mutating func text(_ number: UInt32) throws -> UnsafeRawBufferPointer {
    let bytes = try image.textBytes(number)
    bytesRead += 2 * UInt32.size + bytes.count
    return bytes
  }

  /// Feeds a text to a checksum.
  @inline(__always)
  mutating func add(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(utf8: try text(number))
  }

  /// Feeds a text that may be absent to a checksum.
  @inline(__always)
  mutating func addOptional(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(number != FlatFormat.none)
    if number != FlatFormat.none { try add(number, to: &checksum) }
  }

  /// The record of an id by binary search in an index; nil where there is none.
  mutating func find(_ id: Int, in index: FlatSection<FlatIndexEntry>) throws -> UInt32? {
    let entries = index.all
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      bytesRead += FlatIndexEntry.size
      if entry.id == id { return entry.record }
      if entry.id < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The product of an option or of an index.
  ///
  /// - Throws: ``FlatFault`` where the record is another product's.
  @inline(__always)
  mutating func product(_ index: UInt32, id: Int) throws -> FlatProduct {
    let product = try record(index, of: image.products)
    guard product.id == id else {
      throw FlatFault(
        reason: "product record \(index) is product \(product.id), not \(id)",
        offset: image.products.offset)
    }
    return product
  }

  /// The combo of an index.
  ///
  /// - Throws: ``FlatFault`` where the record is another combo's.
  mutating func combo(_ index: UInt32, id: Int) throws -> FlatCombo {
    let combo = try record(index, of: image.combos)
    guard combo.id == id else {
      throw FlatFault(
        reason: "combo record \(index) is combo \(combo.id), not \(id)",
        offset: image.combos.offset)
    }
    return combo
  }
}
