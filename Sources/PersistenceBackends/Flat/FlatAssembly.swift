import Foundation

/// A file while its sections are put behind the header.
struct FlatAssembly: ~Copyable {
  private var file: FlatBuffer
  private var countOffset = FlatFormat.countsOffset

  /// Begins with a header of zeros.
  init(capacity: Int) {
    file = FlatBuffer(capacity: capacity)
    file.appendZeros(FlatFormat.headerLength)
  }

  /// Appends a section.
  ///
  /// - Throws: ``FlatLimit`` where it holds too much.
  mutating func add<Record: FlatRecord>(
    _ name: String, _ section: borrowing FlatWriter<Record>
  ) throws {
    try add(name, section.bytes, count: section.count)
  }

  /// Appends a section.
  ///
  /// - Throws: ``FlatLimit`` where it holds too much.
  mutating func add(_ name: String, _ section: borrowing FlatBuffer, count: Int) throws {
    var pen = FlatPen(file.start + countOffset)
    pen.put(try FlatLimit.checked(count, of: name))
    countOffset += 4
    file.append(section.bytes(from: 0, count: section.count))
    file.appendZeros(FlatFormat.aligned(file.count) - file.count)
  }

  /// Fills in the header.
  consuming func finish() -> Data {
    var pen = FlatPen(file.start)
    pen.put(UInt32(truncatingIfNeeded: FlatFormat.magic))
    pen.put(UInt32(truncatingIfNeeded: FlatFormat.magic >> 32))
    pen.put(FlatFormat.version)
    pen.put(UInt32(FlatFormat.sections))
    pen.put(file.count)
    FlatFormat.seal(UnsafeMutableRawBufferPointer(start: file.start, count: file.count))
    return file.data()
  }
}

extension FlatFormat {
  /// Puts the checksum of what a file holds into its header.
  static func seal(_ file: UnsafeMutableRawBufferPointer) {
    let covered = UnsafeRawBufferPointer(rebasing: file[(checksumOffset + 8)...])
    let hash = FlatHash.hash(covered).littleEndian
    file.storeBytes(of: hash, toByteOffset: checksumOffset, as: UInt64.self)
  }
}
