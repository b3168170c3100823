import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import SimdjsonBackends

/// The result of decoding, so that two decoders can be compared.
private enum Answer<Value: Equatable>: Equatable {
  case value(Value)
  case refusal(String)

  init(_ decode: () throws -> Value) {
    do { self = .value(try decode()) } catch { self = .refusal(kind(of: error)) }
  }
}

/// An error's kind and place: `keyNotFound price at products/Index 2`.
private func kind(of error: any Error) -> String {
  func place(_ context: DecodingError.Context) -> String {
    " at " + context.codingPath.map(\.stringValue).joined(separator: "/")
  }
  return switch error {
  case DecodingError.typeMismatch(let type, let context): "typeMismatch \(type)" + place(context)
  case DecodingError.valueNotFound(let type, let context): "valueNotFound \(type)" + place(context)
  case DecodingError.keyNotFound(let key, let context):
    "keyNotFound \(key.stringValue)" + place(context)
  case DecodingError.dataCorrupted(let context): "dataCorrupted" + place(context)
  default: "\(error)"
  }
}

/// Any key, as in the text.
private struct AnyKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// Any JSON, found out by trying, as a type does that catches errors.
private indirect enum AnyJSON: Decodable, Equatable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case text(String)
  case array([AnyJSON])
  case object([String: AnyJSON])

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: AnyKey.self) {
      var object: [String: AnyJSON] = [:]
      // In one order, so that of several errors it is always the same that is thrown.
      for key in members.allKeys.sorted(by: { $0.stringValue < $1.stringValue }) {
        object[key.stringValue] = try members.decode(AnyJSON.self, forKey: key)
      }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var array: [AnyJSON] = []
      while !elements.isAtEnd { array.append(try elements.decode(AnyJSON.self)) }
      self = .array(array)
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let bool = try? value.decode(Bool.self) {
        self = .bool(bool)
      } else if let integer = try? value.decode(Int.self) {
        self = .integer(integer)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .text(try value.decode(String.self))
      }
    }
  }
}

@Suite("A decoder of simdjson's tape")
struct SimdjsonDecoderTests {
  private let decoder = SimdjsonDecoder()

  private static let scalars = [
    "0", "-0", "1", "-1", "1.0", "1e3", "1E-1", "1.5", "127", "128", "255", "300", "-0.0",
    "9007199254740993.0", "1e19", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
    "18446744073709551616", "1e400", "1e39", "3.4028236e38", "1e-46", "16777217", "16777217.0",
    "1.000000059604644775390625", "0.1", "19.99", "123456789.123", "0.12345678901234567890",
    "1e20", "1.1e-7", "true", "false", "null", "\"\"", "\"a\"", "\"Пицца 🍕\"", "\"1\"",
    "\"\\u0041\\n\\/\\\"\\\\\"", "\"\\ud83c\\udf55\"", "\"\\ud83c\"", "\"\\udf55\"", "\"\\x\"",
    "\"\\u00\"", "\"\u{1}\"", "\"\\u0000\"", "\"aGk=\"", "\"aGk\"", "\"https://a.example/b?c=d\"",
    "\"a b\"", "[]", "[1,2]", "[1,null]", "[1,]", "[\"a\"]", "{}", "{\"a\":1}", "{\"1\":2}",
    "{\"a\":1,\"a\":3}", "{\"a\"}", "{a:1}", "", " ", "01", "1.", ".5", "+1", "NaN", "tru",
    "nul", "[", "]", "1 2", "1,", "\u{FEFF}1", " 1 ", "\"a", "{\"a\":1", "1\u{0}",
  ]

  @Test("answers like JSONDecoder, alone, in an array and in an object", arguments: scalars)
  func sameAnswers(text: String) {
    func asked<Value: Decodable & Equatable>(_ type: Value.Type) {
      same(type, Data(text.utf8))
      same([Value].self, Data("[\(text), \(text)]".utf8))
      same([String: Value?].self, Data("{\"й\": \(text)}".utf8))
    }
    asked(Int.self)
    asked(Int8.self)
    asked(Int16.self)
    asked(Int32.self)
    asked(Int64.self)
    asked(Int128.self)
    asked(UInt.self)
    asked(UInt8.self)
    asked(UInt16.self)
    asked(UInt32.self)
    asked(UInt64.self)
    asked(UInt128.self)
    asked(Double.self)
    asked(Float.self)
    asked(Bool.self)
    asked(String.self)
    asked(Decimal.self)
    asked(Date.self)
    asked(Data.self)
    asked(URL.self)
    asked([Int].self)
    asked([Int?].self)
    asked([String: Int].self)
    asked([Int: Int].self)
    asked(Product.Kind.self)
    asked(AnyJSON.self)
  }

  @Test("reads a number too small for a double as 0, and 0 with an exponent, unlike JSONDecoder")
  func smallest() {
    #expect(decoder.decodedByTape([Double].self, from: Data("[1e-400, 0e5]".utf8)) == [0, 0])
  }

  @Test("distinguishes 0 from -0, like JSONDecoder")
  func zeros() throws {
    for text in ["0", "-0", "0.0", "-0.0", "-0e1"] {
      let zero = try decoder.decode([Double].self, from: Data("[\(text)]".utf8))[0]
      #expect(zero.sign == (text.hasPrefix("-") ? .minus : .plus), "\(text)")
    }
  }

  @Test("answers like JSONDecoder if the bytes are not UTF-8, or in another encoding")
  func encodings() throws {
    same(String.self, Data([0x22, 0xFF, 0x22]))
    same([String].self, Data([0x5B, 0x22, 0xC3, 0x22, 0x5D]))
    same([String: Int].self, Data([0x7B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x3A, 0x31, 0x7D]))
    for encoding: String.Encoding in [.utf16, .utf16LittleEndian, .utf32, .utf32BigEndian] {
      same([String].self, try #require("[\"Пицца\"]".data(using: encoding)))
    }
    #expect(decoder.decodedByTape(Int.self, from: Data([0xEF, 0xBB, 0xBF, 0x31])) == 1)
  }

  @Test("decodes as deep as JSONDecoder", arguments: [1, 100, 510, 511, 512, 513, 514, 100_000])
  func depth(_ depth: Int) {
    let arrays = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    let objects =
      String(repeating: "{\"a\":", count: depth) + "1" + String(repeating: "}", count: depth)
    same([Skipped].self, Data(arrays.utf8))
    same([String: Skipped].self, Data(objects.utf8))
    #expect(
      (decoder.decodedByTape([Skipped].self, from: Data(arrays.utf8)) != nil) == (depth <= 512))
  }

  @Test(
    "uses the first of equal keys, in small objects and in large ones", arguments: [3, 63, 200])
  func equalKeys(count: Int) throws {
    let members = (0..<count).map { "\"k\($0 % (count - 1))\": \($0)" }.joined(separator: ",")
    let json = Data("{\(members)}".utf8)
    same([String: Int].self, json)
    let values = try #require(decoder.decodedByTape([String: Int].self, from: json))
    #expect(values["k0"] == 0)
    #expect(values.count == count - 1)
  }

  @Test("reads by itself the content of simdjson's tape, and leaves other content to JSONDecoder")
  func routes() throws {
    func byTape<Value: Decodable>(_ type: Value.Type, _ text: String) -> Bool {
      decoder.decodedByTape(type, from: Data(text.utf8)) != nil
    }
    for (name, menu) in Fixtures.all where name != "extremes" {
      let json = try JSONEncoder().encode(menu)
      #expect(decoder.decodedByTape(Menu.self, from: json) == menu, "\(name)")
    }
    #expect(byTape([Decimal].self, "[19.99, 5, -0.5]"))
    #expect(byTape([Int].self, "[1.0, 1e3]"))
    #expect(byTape([String].self, "[\"a-0\", \"b -0,\"]") == false)
    #expect(byTape([String].self, "[\"a-0\", \"2026-01-01\"]"))
    #expect(byTape([Double].self, "[-0]") == false)
    #expect(byTape([Double].self, "[18446744073709551616]") == false)
    #expect(byTape([Int].self, "[9007199254740993.0]") == false)
    #expect(byTape([Decimal].self, "[0.12345678901234567890]") == false)
    #expect(byTape([Float].self, "[1.000000059604644775390625]") == false)
  }

  @Test("answers like JSONDecoder for any JSON, 200 seeds")
  func property() {
    for seed in 0..<200 as Range<UInt64> {
      var draw = Draw(seed)
      let text = draw.json(depth: 5)
      same(AnyJSON.self, Data(text.utf8), "seed \(seed): \(text)")
    }
  }

  @Test("answers like JSONDecoder for a menu cut short or with bytes changed, 200 seeds")
  func damage() throws {
    let whole = try JSONEncoder().encode(Fixtures.full)
    for seed in 0..<200 as Range<UInt64> {
      var draw = Draw(seed)
      var json = whole
      if seed % 2 == 0 { json = json.prefix(draw.below(json.count)) }
      for _ in 0..<draw.below(4) where !json.isEmpty {
        json[draw.below(json.count)] = UInt8(draw.below(256))
      }
      same(Menu.self, json, "seed \(seed)")
      same(AnyJSON.self, json, "seed \(seed)")
    }
  }

  private func same<Value: Decodable & Equatable>(
    _ type: Value.Type, _ json: Data, _ what: @autoclosure () -> String = "",
    at location: SourceLocation = #_sourceLocation
  ) {
    let foundation = Answer { try JSONDecoder().decode(type, from: json) }
    let said = "\(type) \(String(decoding: json.prefix(200), as: UTF8.self)) \(what())"
    #expect(
      Answer { try decoder.decode(type, from: json) } == foundation, "\(said)",
      sourceLocation: location)
    // The content of the tape alone must be equal, too.
    if let value = decoder.decodedByTape(type, from: json) {
      #expect(.value(value) == foundation, "by the tape: \(said)", sourceLocation: location)
    }
  }
}

/// Looks at nothing of the value that it is decoded from.
private struct Skipped: Decodable, Equatable {
  init(from decoder: any Decoder) {}
}

/// Draws values from a seed.
private struct Draw {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  /// A JSON text, now and then with what few write.
  mutating func json(depth: Int) -> String {
    let texts = ["", "a", "Пицца", "\\n", "\\u00e9", "🍕", "a -0 ", "\\ud83c\\udf55", "k1", "k2"]
    func space(_ draw: inout Draw) -> String { ["", "", " ", "\n\t"][draw.below(4)] }
    func text(_ draw: inout Draw) -> String { "\"\(texts[draw.below(texts.count)])\"" }
    let elements = (0..<below(4)).map { _ in 0 }
    switch below(depth > 0 ? 9 : 6) {
    case 0: return "null"
    case 1: return ["true", "false"][below(2)]
    case 2: return String(below(1 << 30) - 1 << 29)
    case 3: return text(&self)
    case 4: return "\(Double(below(1 << 30)) / Double(below(999) + 1))"
    case 5:
      return ["1e3", "-0", "1.0", "1e-7", "18446744073709551615", "-1.5E+2", "1e19"][below(7)]
    case 6, 7:
      return "["
        + elements.map { _ in space(&self) + json(depth: depth - 1) + space(&self) }
        .joined(separator: ",") + "]"
    default:
      return "{"
        + elements.map { _ in
          space(&self) + text(&self) + space(&self) + ":" + json(depth: depth - 1) + space(&self)
        }.joined(separator: ",") + "}"
    }
  }
}
