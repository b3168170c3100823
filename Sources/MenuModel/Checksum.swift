/// A 64-bit checksum of a sequence of values, the same in every process and on every platform.
///
/// Eight bytes at a time are multiplied and folded in the manner of wyhash (Wang Yi, 2019). It tells
/// documents apart and keeps a reader honest; it resists no attacker.
public struct Checksum: Hashable, Sendable {
  private var state: UInt64 = 0x9e37_79b9_7f4a_7c15

  /// An empty checksum.
  public init() {}

  /// The checksum so far.
  public var value: UInt64 { Self.fold(state, 0xd6e8_feb8_6659_fd93) }

  /// Adds a whole number.
  public mutating func add(_ number: Int) {
    add(word: UInt64(bitPattern: Int64(number)))
  }

  /// Adds a truth value.
  public mutating func add(_ flag: Bool) {
    add(word: flag ? 1 : 2)
  }

  /// Adds a floating-point number by its bits; 0 and -0 differ.
  public mutating func add(_ number: Double) {
    add(word: number.bitPattern)
  }

  /// Adds a text by its UTF-8 bytes, so that NFC and NFD forms of one name differ.
  public mutating func add(_ text: String) {
    var text = text
    text.withUTF8 { add(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Adds a text that is at hand as UTF-8 only, exactly as the text itself would be.
  public mutating func add(utf8 bytes: UnsafeRawBufferPointer) {
    add(word: UInt64(bytes.count))
    add(bytes)
  }

  /// Adds a number that may be absent; absent differs from every number.
  public mutating func add(_ number: Int?) {
    add(number != nil)
    if let number { add(number) }
  }

  /// Adds a text that may be absent; absent differs from empty.
  public mutating func add(_ text: String?) {
    add(text != nil)
    if let text { add(text) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var offset = 0
    while offset + 8 <= bytes.count {
      add(word: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)))
      offset += 8
    }
    guard offset < bytes.count else { return }
    var tail: UInt64 = 0
    for index in offset..<bytes.count {
      tail |= UInt64(bytes[index]) << UInt64(8 * (index - offset))
    }
    add(word: tail)
  }

  private mutating func add(word: UInt64) {
    state = Self.fold(state ^ word, 0xa076_1d64_78bd_642f) &+ 0xe703_7ed1_a0b4_28db
  }

  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

extension Checksum: CustomStringConvertible {
  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
