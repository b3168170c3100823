import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import SimdjsonBackends

private enum Key: String, CodingKey { case a, b, list, inner, missing, none }

/// The answers to a type that asks for many things, right and wrong, and catches the errors.
private struct Observer: Decodable, Equatable {
  private(set) var seen: [String] = []

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    note { values.allKeys.map(\.rawValue).sorted() }
    note { [values.contains(.a), values.contains(.missing), values.contains(.none)] }
    note { try values.decode(Int.self, forKey: .missing) }
    note { try values.decode(Int.self, forKey: .b) }
    note { try values.decode(Int8.self, forKey: .a) }
    note { try values.decode(String.self, forKey: .a) }
    note { try values.decode(Bool.self, forKey: .none) }
    note { try values.decode(URL.self, forKey: .a) }
    note { try values.decodeNil(forKey: .none) }
    note { try values.decodeNil(forKey: .missing) }
    note { try values.decodeIfPresent(Int.self, forKey: .b) as Any }
    note { try values.decodeIfPresent(Int.self, forKey: .none) as Any }
    note { try values.decodeIfPresent(UInt16.self, forKey: .missing) as Any }
    note { try values.decodeIfPresent(Float.self, forKey: .a) as Any }
    note { try values.decodeIfPresent([String].self, forKey: .none) as Any }
    note { try values.decode([Int].self, forKey: .list) }
    note { try values.nestedContainer(keyedBy: Key.self, forKey: .list).allKeys }
    note { try values.nestedUnkeyedContainer(forKey: .none).count as Any }
    note { try values.nestedUnkeyedContainer(forKey: .missing).count as Any }
    note { try values.superDecoder(forKey: .missing).singleValueContainer().decodeNil() }
    note { try values.superDecoder().singleValueContainer().decodeNil() }
    note { try values.superDecoder(forKey: .b).singleValueContainer().decode(Int.self) }
    let inner = try values.nestedContainer(keyedBy: Key.self, forKey: .inner)
    note { inner.codingPath.map(\.stringValue) }
    note { try inner.decode([[Int]].self, forKey: .list) }
    note { try inner.superDecoder(forKey: .list).codingPath.map(\.stringValue) }
    var list = try values.nestedUnkeyedContainer(forKey: .list)
    note { (list.count as Any, list.codingPath.map(\.stringValue)) }
    note { try list.decode(Int.self) }
    note { (try list.decodeNil(), list.currentIndex) }
    note { (try list.decode(Int.self), list.currentIndex) }
    note { (try list.decode(String.self), list.currentIndex) }
    note { (try list.decodeNil(), list.currentIndex) }
    note { try list.nestedContainer(keyedBy: Key.self).decode(Int.self, forKey: .b) }
    note { try list.nestedUnkeyedContainer().count as Any }
    note { try list.superDecoder().singleValueContainer().decode(Double.self) }
    note { (list.isAtEnd, list.currentIndex) }
    note { try list.decode(Int.self) }
    note { try list.decodeNil() }
    note { try list.superDecoder().codingPath.count }
    note { decoder.codingPath.map(\.stringValue) }
  }

  /// The answer to a question, or the error's kind and place.
  private mutating func note<Answer>(_ ask: () throws -> Answer) {
    do { seen.append("\(try ask())") } catch let error as DecodingError {
      seen.append(Self.kind(of: error))
    } catch { seen.append("\(error)") }
  }

  private static func kind(of error: DecodingError) -> String {
    func path(_ context: DecodingError.Context) -> String {
      context.codingPath.map(\.stringValue).joined(separator: "/")
    }
    return switch error {
    case .typeMismatch(let type, let context): "no \(type): \(path(context))"
    case .valueNotFound(let type, let context): "null is no \(type): \(path(context))"
    case .keyNotFound(let key, let context): "no key \(key.stringValue): \(path(context))"
    case .dataCorrupted(let context): "corrupted: \(path(context))"
    @unknown default: "\(error)"
    }
  }
}

private class Dish: Decodable {
  let name: String
  private enum CodingKeys: String, CodingKey { case name }

  required init(from decoder: any Decoder) throws {
    name = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .name)
  }
}

private final class Pizza: Dish {
  let toppings: [Dish]
  let sauce: Dish
  private enum CodingKeys: String, CodingKey { case toppings }

  required init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    toppings = try values.decode([Dish].self, forKey: .toppings)
    sauce = try Dish(from: values.superDecoder())
    try super.init(from: decoder)
  }
}

/// Keeps its decoder, which lazy types do.
private struct Lazy: Decodable {
  let decoder: any Decoder

  init(from decoder: any Decoder) throws { self.decoder = decoder }

  func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try decoder.singleValueContainer().decode(type)
  }
}

@Suite("Containers of simdjson's tape")
struct SimdjsonContainerTests {
  private let decoder = SimdjsonDecoder()

  @Test("answer and refuse each question like those of JSONDecoder")
  func questions() throws {
    let json = Data(
      """
      {"other": {"a": 1}, "in": [{"b": 5,
        "a": "text", "list": [1, "two", null, {"b": 3}, [4], 5.5], "none": null,
        "inner": {"list": [[1], [2, "three"]]}}]}
      """.utf8)
    struct Outer: Decodable {
      let `in`: [Observer]
    }
    let own = try #require(decoder.decodedByTape(Outer.self, from: json)).in[0].seen
    let foundation = try JSONDecoder().decode(Outer.self, from: json).in[0].seen
    for (own, foundation) in zip(own, foundation) { #expect(own == foundation) }
    #expect(own.count == foundation.count)
  }

  @Test("decode a class, and its superclass from the same object or from a part of it")
  func inheritance() throws {
    let json = Data(
      #"{"toppings":[{"name":"cheese"},{"name":"ham"}],"super":{"name":"bbq"},"name":"Kid"}"#.utf8)
    let pizza = try #require(decoder.decodedByTape(Pizza.self, from: json))
    #expect(pizza.name == "Kid")
    #expect(pizza.toppings.map(\.name) == ["cheese", "ham"])
    #expect(pizza.sauce.name == "bbq")
  }

  @Test("continue to read the text of a kept decoder while others are decoded")
  func keptDecoder() throws {
    let kept = try decoder.decode(Lazy.self, from: Data(#"["один", "два"]"#.utf8))
    for _ in 0..<3 {
      let long = "[" + String(repeating: "12345,", count: 10_000) + "1]"
      #expect(try decoder.decode([Int].self, from: Data(long.utf8)).count == 10_001)
    }
    #expect(try kept.value([String].self) == ["один", "два"])
  }

  @Test("continue to read if a type decodes another text with the same decoder meanwhile")
  func nestedText() throws {
    struct Envelope: Decodable {
      nonisolated(unsafe) static var decoder = SimdjsonDecoder()
      let body: [Int]
      let after: String

      init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        let body = try values.decode(String.self)
        self.body = try Self.decoder.decode([Int].self, from: Data(body.utf8))
        after = try values.decode(String.self)
      }
    }
    let json = Data(#"["[1, 2, 3]", "after"]"#.utf8)
    let envelope = try #require(Envelope.decoder.decodedByTape(Envelope.self, from: json))
    #expect(envelope.body == [1, 2, 3])
    #expect(envelope.after == "after")
  }
}

@Suite("The json-simdjson backend")
struct JSONSimdjsonBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("reads the file of json, and the reverse")
  func sameFile() throws {
    let json = try BackendEntry<Menu>.json.open(folder.store())
    let simdjson = try BackendEntry<Menu>.jsonSimd.open(folder.store())
    try replace(Fixtures.full, in: json)
    #expect(try restored(from: simdjson) == Fixtures.full)
    try replace(Fixtures.bare, in: simdjson)
    #expect(try restored(from: json) == Fixtures.bare)
    #expect(try folder.files() == ["menu.json"])
  }

  @Test("refuses a damaged file with the place of the fault, like json")
  func damage() throws {
    let entry = BackendEntry<Menu>.jsonSimd
    try replace(Fixtures.full, in: entry.open(folder.store()))
    let text = try String(contentsOfFile: folder.path + "/menu.json", encoding: .utf8)
    try text.replacing("\"revision\":", with: "\"version\":")
      .write(toFile: folder.path + "/menu.json", atomically: true, encoding: .utf8)
    let error = #expect(throws: DecodingError.self) {
      try restored(from: entry.open(folder.store()))
    }
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "revision")
    #expect(context.codingPath.isEmpty)
  }
}
