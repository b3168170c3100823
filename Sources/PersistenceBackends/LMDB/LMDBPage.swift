/// The bytes of a page of an LMDB file and its header, as `MDB_page` of mdb.c lays them out.
///
/// The numbers that are read must lie within: whoever asks has checked the place.
struct LMDBPage {
  /// The bytes of a header.
  static let headerLength = 16

  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var count: Int { bytes.count }
  /// Its own number.
  var number: Int { uint64(0) }
  /// What kind of page it is.
  var flags: Int { count >= Self.headerLength ? uint16(10) : 0 }
  /// The end of the nodes' places, from the page's start.
  var lower: Int { uint16(12) }
  /// The start of the nodes.
  var upper: Int { uint16(14) }
  /// The pages of an overflow run.
  var pages: Int { uint32(12) }

  /// Two bytes.
  func uint16(_ offset: Int) -> Int { Int(load(offset, as: UInt16.self)) }
  /// Four bytes.
  func uint32(_ offset: Int) -> Int { Int(load(offset, as: UInt32.self)) }
  /// Eight bytes; numbers beyond `Int.max` come out negative.
  func uint64(_ offset: Int) -> Int { Int(truncatingIfNeeded: load(offset, as: UInt64.self)) }
  /// A run of bytes.
  func slice(_ offset: Int, _ count: Int) -> ArraySlice<UInt8> { bytes[offset..<(offset + count)] }

  private func load<Number: FixedWidthInteger & BitwiseCopyable>(
    _ offset: Int, as type: Number.Type
  ) -> Number {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }
}
