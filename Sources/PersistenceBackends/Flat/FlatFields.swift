/// Takes the fields of a record, one after another; the caller has seen to it that they are there.
struct FlatFields {
  private var place: UnsafeRawPointer

  @inline(__always)
  init(_ place: UnsafeRawPointer) { self.place = place }

  @inline(__always)
  mutating func number() -> Int { Int(Int64(littleEndian: take(Int64.self))) }

  @inline(__always)
  mutating func word() -> UInt32 { UInt32(littleEndian: take(UInt32.self)) }

  @inline(__always)
  mutating func byte() -> UInt8 { take(UInt8.self) }

  @inline(__always)
  mutating func double() -> Double {
    Double(bitPattern: UInt64(littleEndian: take(UInt64.self)))
  }

  @inline(__always)
  mutating func range() -> FlatRange { FlatRange(start: word(), count: word()) }

  @inline(__always)
  private mutating func take<Value: BitwiseCopyable>(_ type: Value.Type) -> Value {
    let value = place.loadUnaligned(as: type)
    place += MemoryLayout<Value>.size
    return value
  }
}

/// Puts down the fields of a record, one after another; the caller has seen to it that they fit.
struct FlatPen {
  private var place: UnsafeMutableRawPointer

  @inline(__always)
  init(_ place: UnsafeMutableRawPointer) { self.place = place }

  @inline(__always)
  mutating func put(_ number: Int) { store(Int64(number).littleEndian) }

  /// An absent number stands as 0; a flag of the record tells it from one.
  @inline(__always)
  mutating func put(_ number: Int?) { put(number ?? 0) }

  @inline(__always)
  mutating func put(_ word: UInt32) { store(word.littleEndian) }

  @inline(__always)
  mutating func put(_ byte: UInt8) { store(byte) }

  @inline(__always)
  mutating func put(_ number: Double) { store(number.bitPattern.littleEndian) }

  @inline(__always)
  mutating func put(_ range: FlatRange) {
    put(range.start)
    put(range.count)
  }

  @inline(__always)
  private mutating func store<Value: BitwiseCopyable>(_ value: Value) {
    place.storeBytes(of: value, as: Value.self)
    place += MemoryLayout<Value>.size
  }
}

/// Flags of a record: which numbers are there, and truth values.
struct FlatFlags {
  var bits: UInt32 = 0

  /// Flags as a file has them.
  @inline(__always)
  init(_ bits: UInt32) { self.bits = bits }

  /// Flags from the lowest bit up.
  @inline(__always)
  init(_ first: Bool, _ second: Bool = false, _ third: Bool = false) {
    bits = (first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0)
  }

  /// Whether a bit is set.
  @inline(__always)
  subscript(bit: UInt32) -> Bool { bits >> bit & 1 == 1 }
}

/// A record of a fixed width.
protocol FlatRecord {
  /// Its bytes in a file.
  static var size: Int { get }
  /// Takes its fields.
  init(_ fields: inout FlatFields)
  /// Puts down its fields.
  func put(_ pen: inout FlatPen)
}

extension FlatRecord {
  /// The record at a place of `size` bytes.
  @inline(__always)
  init(at place: UnsafeRawPointer) {
    var fields = FlatFields(place)
    self.init(&fields)
  }

  /// Puts the record at a place of `size` bytes.
  @inline(__always)
  func store(at place: UnsafeMutableRawPointer) {
    var pen = FlatPen(place)
    put(&pen)
  }
}

/// An id.
extension Int: FlatRecord {
  static var size: Int { 8 }
  @inline(__always) init(_ fields: inout FlatFields) { self = fields.number() }
  @inline(__always) func put(_ pen: inout FlatPen) { pen.put(self) }
}

/// The number of a text, or where one begins.
extension UInt32: FlatRecord {
  static var size: Int { 4 }
  @inline(__always) init(_ fields: inout FlatFields) { self = fields.word() }
  @inline(__always) func put(_ pen: inout FlatPen) { pen.put(self) }
}

/// A byte of the texts.
extension UInt8: FlatRecord {
  static var size: Int { 1 }
  @inline(__always) init(_ fields: inout FlatFields) { self = fields.byte() }
  @inline(__always) func put(_ pen: inout FlatPen) { pen.put(self) }
}
