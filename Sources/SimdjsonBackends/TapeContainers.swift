/// Decodes an object's members.
struct KeyedTape<Key: CodingKey>: KeyedDecodingContainerProtocol {
  /// From this number of members on, a dictionary replaces the linear search.
  private static var many: Int { 64 }

  private let object: Int
  private let decoder: TapeDecoder
  private let places: [String: Int]?

  init(object: Int, decoder: TapeDecoder) {
    self.object = object
    self.decoder = decoder
    let tape = decoder.tape
    if let count = tape.count(of: object), count < Self.many {
      places = nil
    } else {
      places = Dictionary(
        tape.members(of: object).map { (tape.text(at: $0.key), $0.value) },
        uniquingKeysWith: { first, _ in first })
    }
  }

  var codingPath: [any CodingKey] { decoder.tape.path(to: object) }

  var allKeys: [Key] {
    var seen: Set<String> = []
    return decoder.tape.members(of: object).compactMap { member in
      let key = decoder.tape.text(at: member.key)
      return seen.insert(key).inserted ? Key(stringValue: key) : nil
    }
  }

  func contains(_ key: Key) -> Bool { place(ifAnyOf: key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool { decoder.isNull(at: try place(of: key)) }

  func decode(_: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.bool(at: place(of: key))
  }

  func decode(_: String.Type, forKey key: Key) throws -> String {
    try decoder.text(at: place(of: key))
  }

  func decode(_: Double.Type, forKey key: Key) throws -> Double {
    try decoder.double(at: place(of: key))
  }

  func decode(_: Float.Type, forKey key: Key) throws -> Float {
    try decoder.float(at: place(of: key))
  }

  func decode(_: Int.Type, forKey key: Key) throws -> Int { try integer(key) }
  func decode(_: Int8.Type, forKey key: Key) throws -> Int8 { try integer(key) }
  func decode(_: Int16.Type, forKey key: Key) throws -> Int16 { try integer(key) }
  func decode(_: Int32.Type, forKey key: Key) throws -> Int32 { try integer(key) }
  func decode(_: Int64.Type, forKey key: Key) throws -> Int64 { try integer(key) }
  func decode(_: Int128.Type, forKey key: Key) throws -> Int128 { try integer(key) }
  func decode(_: UInt.Type, forKey key: Key) throws -> UInt { try integer(key) }
  func decode(_: UInt8.Type, forKey key: Key) throws -> UInt8 { try integer(key) }
  func decode(_: UInt16.Type, forKey key: Key) throws -> UInt16 { try integer(key) }
  func decode(_: UInt32.Type, forKey key: Key) throws -> UInt32 { try integer(key) }
  func decode(_: UInt64.Type, forKey key: Key) throws -> UInt64 { try integer(key) }
  func decode(_: UInt128.Type, forKey key: Key) throws -> UInt128 { try integer(key) }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.value(at: place(of: key))
  }

  // The protocol's own implementations would look for the key three times.

  func decodeIfPresent(_: Bool.Type, forKey key: Key) throws -> Bool? {
    try valued(key).map(decoder.bool)
  }

  func decodeIfPresent(_: String.Type, forKey key: Key) throws -> String? {
    try valued(key).map(decoder.text)
  }

  func decodeIfPresent(_: Double.Type, forKey key: Key) throws -> Double? {
    try valued(key).map(decoder.double)
  }

  func decodeIfPresent(_: Int.Type, forKey key: Key) throws -> Int? {
    try valued(key).map(decoder.integer)
  }

  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let place = valued(key) else { return nil }
    return try decoder.value(at: place)
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try decoder.keyed(at: place(of: key))
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.unkeyed(at: place(of: key))
  }

  func superDecoder() throws -> any Decoder {
    decoder.another(at: place(ifAnyOf: "super") ?? Tape.nothing)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.another(at: place(ifAnyOf: key.stringValue) ?? Tape.nothing)
  }

  // Inlined, so that it is specialised for each number type.
  @inline(__always)
  private func integer<Number: FixedWidthInteger>(_ key: Key) throws -> Number {
    try decoder.integer(at: place(of: key))
  }

  private func place(ifAnyOf key: String) -> Int? {
    if let places { return places[key] }
    return decoder.tape.find(key, in: object)
  }

  private func place(of key: Key) throws -> Int {
    if let place = place(ifAnyOf: key.stringValue) { return place }
    throw DecodingError.keyNotFound(
      key,
      DecodingError.Context(
        codingPath: codingPath, debugDescription: "there is no key \"\(key.stringValue)\""))
  }

  /// The index of a value that is present and not null.
  private func valued(_ key: Key) -> Int? {
    guard let place = place(ifAnyOf: key.stringValue), !decoder.isNull(at: place) else {
      return nil
    }
    return place
  }
}

/// Decodes an array's elements in order. It fits into an existential without an allocation.
struct UnkeyedTape: UnkeyedDecodingContainer {
  private let decoder: TapeDecoder
  private var next: Int
  private let array: UInt32
  private var index: UInt32 = 0

  init(array: Int, decoder: TapeDecoder) {
    self.array = UInt32(array)
    self.decoder = decoder
    next = array + 1
  }

  var codingPath: [any CodingKey] { decoder.tape.path(to: Int(array)) }
  var count: Int? { decoder.tape.count(of: Int(array)) }
  var currentIndex: Int { Int(index) }
  var isAtEnd: Bool { decoder.tape.kind(at: next) == Tape.Kind.arrayEnd }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { throw exhaustion(Never.self) }
    guard decoder.isNull(at: next) else { return false }
    pass()
    return true
  }

  mutating func decode(_: Bool.Type) throws -> Bool {
    try element { try $0.bool(at: $1) }
  }

  mutating func decode(_: String.Type) throws -> String {
    try element { try $0.text(at: $1) }
  }

  mutating func decode(_: Double.Type) throws -> Double {
    try element { try $0.double(at: $1) }
  }

  mutating func decode(_: Float.Type) throws -> Float {
    try element { try $0.float(at: $1) }
  }

  @inline(__always)
  mutating func decode<Number: FixedWidthInteger & Decodable>(_: Number.Type) throws -> Number {
    try element { try $0.integer(at: $1) }
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try element { try $0.value(at: $1) }
  }

  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try element { try $0.keyed(at: $1) }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try element { try $0.unkeyed(at: $1) }
  }

  mutating func superDecoder() throws -> any Decoder {
    try element(as: (any Decoder).self) { $0.another(at: $1) }
  }

  /// Makes a value of the next element and advances. If `make` throws, it does not advance.
  @inline(__always)
  private mutating func element<Made>(
    as type: Made.Type = Made.self, _ make: (TapeDecoder, Int) throws -> Made
  ) throws -> Made {
    guard !isAtEnd else { throw exhaustion(Made.self) }
    let made = try make(decoder, next)
    pass()
    return made
  }

  private mutating func pass() {
    next = decoder.tape.place(after: next)
    index += 1
  }

  private func exhaustion(_ type: Any.Type) -> DecodingError {
    .valueNotFound(
      type,
      DecodingError.Context(
        codingPath: codingPath + [TapeKey(intValue: currentIndex)],
        debugDescription: "the array has no more than \(index) elements"))
  }
}

extension TapeDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool { isNull(at: place) }

  func decode(_: Bool.Type) throws -> Bool { try bool(at: place) }
  func decode(_: String.Type) throws -> String { try text(at: place) }
  func decode(_: Double.Type) throws -> Double { try double(at: place) }
  func decode(_: Float.Type) throws -> Float { try float(at: place) }

  @inline(__always)
  func decode<Number: FixedWidthInteger & Decodable>(_: Number.Type) throws -> Number {
    try integer(at: place)
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(at: place) }
}
