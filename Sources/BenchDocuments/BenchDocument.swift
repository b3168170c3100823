// Other document types use the same random generator.
@_exported import Basics

/// A value that backends store and workloads check: a menu, or a team's own document type.
public protocol BenchDocument: Codable, Equatable, Sendable {
  /// Feeds every part of the value, at every depth, to a checksum.
  ///
  /// This is called on everything that was decoded, so a lazy decoder must decode all of it. It
  /// also identifies a document by its content. Feed counts and absent values too, because two
  /// different documents must feed different sequences.
  func visit(_ checksum: inout Checksum)

  /// Returns a later revision of the document. It has about the same size, with parts removed,
  /// added and changed, including texts of other lengths. 0 returns the document itself. The same
  /// number always returns an equal document.
  ///
  /// The document and its revision 1 are stored alternately, so a store that writes only
  /// differences writes what differs between them. Change what really changes from one day to the
  /// next. If only a number differed, such a store would seem to cost nothing.
  func revised(_ number: Int) -> Self

  /// The number of each kind of thing in it, in the order to show them in.
  var counts: [(of: String, count: Int)] { get }

  /// The entry of ``counts`` that gives the size, or nil for the sum of all.
  static var sizedBy: String? { get }
}

extension BenchDocument {
  /// Nil: the size is the sum of all counts.
  public static var sizedBy: String? { nil }

  /// A checksum of the whole content. Equal contents have equal checksums on every platform.
  public var fingerprint: Checksum {
    var checksum = Checksum()
    visit(&checksum)
    return checksum
  }
}

/// A 64-bit checksum of a sequence of values, the same in every process and on every platform.
///
/// It sums up all words of eight bytes, each multiplied and folded with a key of its position. This is the sum
/// of NH (Black et al., UMAC, 1999) with the fold of wyhash (Wang Yi, 2019). No word waits for the previous
/// one. The checksum detects different documents and incomplete reads, but it does not resist attackers.
public struct Checksum: Hashable, Sendable {
  /// The number of bytes fed: 8 for a number, 1 for a truth value, and the UTF-8 length for a text.
  /// Flags for presence and numbers of elements are included.
  public private(set) var bytes = 0
  private var sum: UInt64 = 0
  private var key: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// An empty checksum.
  public init() {}

  /// The checksum so far.
  public var value: UInt64 { Self.fold(sum ^ key, 0xd6e8_feb8_6659_fd93) }

  /// Adds a whole number.
  public mutating func add(_ number: Int) {
    bytes += 8
    add(word: UInt64(bitPattern: Int64(number)))
  }

  /// Adds a truth value.
  public mutating func add(_ flag: Bool) {
    bytes += 1
    add(word: flag ? 1 : 2)
  }

  /// Adds a floating-point number by its bits; 0 and -0 differ.
  public mutating func add(_ number: Double) {
    bytes += 8
    add(word: number.bitPattern)
  }

  /// Adds a text by its UTF-8 bytes, so that NFC and NFD forms of one name differ.
  public mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a text that is only available as UTF-8, exactly like the text itself.
  public mutating func add(utf8 text: UnsafeRawBufferPointer) {
    bytes += text.count
    add(word: UInt64(text.count))
    add(text)
  }

  /// Adds an optional number; nil differs from every number.
  public mutating func add(_ number: Int?) {
    add(number != nil)
    if let number { add(number) }
  }

  /// Adds an optional truth value; nil differs from both values.
  public mutating func add(_ flag: Bool?) {
    add(flag != nil)
    if let flag { add(flag) }
  }

  /// Adds an optional text; nil differs from the empty text.
  public mutating func add(_ text: String?) {
    add(text != nil)
    if let text { add(text) }
  }

  /// Adds an optional floating-point number; nil differs from every number.
  public mutating func add(_ number: Double?) {
    add(number != nil)
    if let number { add(number) }
  }

  /// Adds the number of elements, then each element.
  @inlinable
  public mutating func addAll<Element>(
    _ elements: [Element], _ visit: (Element, inout Checksum) -> Void
  ) {
    add(elements.count)
    for element in elements { visit(element, &self) }
  }

  @inline(__always)
  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      add(word: Self.word(bytes, at: offset))
      offset += 8
    }
    let left = bytes.count - offset
    guard left > 0 else { return }
    // Shifts out the bytes before the tail: one load instead of up to seven.
    if bytes.count >= 8 {
      add(word: Self.word(bytes, at: bytes.count - 8) >> UInt64(64 - 8 * left))
    } else {
      add(word: Self.tail(bytes))
    }
  }

  @inline(__always)
  private static func word(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// Combines one to seven bytes into a word. Overlapping loads agree.
  @inline(__always)
  private static func tail(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    let count = bytes.count
    guard count < 4 else {
      let first = bytes.loadUnaligned(as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return UInt64(UInt32(littleEndian: first))
        | UInt64(UInt32(littleEndian: last)) << UInt64(8 * (count - 4))
    }
    let middle = count / 2
    return UInt64(bytes[0]) | UInt64(bytes[middle]) << UInt64(8 * middle)
      | UInt64(bytes[count - 1]) << UInt64(8 * (count - 1))
  }

  @inline(__always)
  private mutating func add(word: UInt64) {
    sum &+= Self.fold(word ^ key, 0xa076_1d64_78bd_642f)
    key &+= 0xe703_7ed1_a0b4_28db
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

extension Checksum: CustomStringConvertible {
  /// Sixteen hexadecimal digits.
  public var description: String { value.hexadecimal }
}
