// Whoever makes documents of their own draws from the same generator.
@_exported import Basics

/// A value that backends store and workloads check: a menu, or a team's own document type.
public protocol BenchDocument: Codable, Equatable, Sendable {
  /// Feeds every part of the value, however deep, to a checksum.
  ///
  /// Called on everything that was decoded, so that a lazy decoder pays its debt, and to name a
  /// document by its content. Feed counts and absent values too: two documents that differ must
  /// feed different sequences.
  func visit(_ checksum: inout Checksum)

  /// The document as it is some changes later: of about the same size, with parts gone, come and
  /// changed, texts of other lengths among them. 0 gives the document itself; one number always gives
  /// an equal document.
  ///
  /// The document and its revision 1 are stored in turn, so what differs between them is what a store
  /// that writes only differences writes. Let it be what really changes from one day to the next: two
  /// that differ in a number make such a store look free.
  func revised(_ number: Int) -> Self

  /// How many of each thing it holds, in the order to show them in.
  var counts: [(of: String, count: Int)] { get }

  /// The one of ``counts`` by which its size is told; nil for all of them together.
  static var sizedBy: String? { get }
}

extension BenchDocument {
  /// All counts together.
  public static var sizedBy: String? { nil }

  /// A checksum of the whole content: equal content, equal value, on every platform.
  public var fingerprint: Checksum {
    var checksum = Checksum()
    visit(&checksum)
    return checksum
  }
}

/// A 64-bit checksum of a sequence of values, the same in every process and on every platform.
///
/// The sum of all words of eight bytes, each multiplied and folded under a key of its place: the sum
/// of NH (Black et al., UMAC, 1999) with the fold of wyhash (Wang Yi, 2019), so that no word waits
/// for the one before it. It tells documents apart and keeps a reader honest; it resists no attacker.
public struct Checksum: Hashable, Sendable {
  /// How many bytes it was given: 8 a number, 1 a truth value, those of its UTF-8 a text. What says
  /// that something is there, or how much of it, is given too.
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

  /// Adds a text that is at hand as UTF-8 only, exactly as the text itself would be.
  public mutating func add(utf8 text: UnsafeRawBufferPointer) {
    bytes += text.count
    add(word: UInt64(text.count))
    add(text)
  }

  /// Adds a number that may be absent; absent differs from every number.
  public mutating func add(_ number: Int?) {
    add(number != nil)
    if let number { add(number) }
  }

  /// Adds a truth value that may be absent; absent differs from both.
  public mutating func add(_ flag: Bool?) {
    add(flag != nil)
    if let flag { add(flag) }
  }

  /// Adds a text that may be absent; absent differs from empty.
  public mutating func add(_ text: String?) {
    add(text != nil)
    if let text { add(text) }
  }

  /// Adds a floating-point number that may be absent; absent differs from every number.
  public mutating func add(_ number: Double?) {
    add(number != nil)
    if let number { add(number) }
  }

  /// Adds how many elements there are, then each of them.
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
    // The bytes before the tail are shifted out: one load instead of up to seven.
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

  /// Fewer than eight bytes, at least one; where two loads overlap they agree.
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
