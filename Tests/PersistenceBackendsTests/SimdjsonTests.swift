import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import SimdjsonBackends

/// The menu that a decoder returns, or its error.
private enum Answer: Equatable {
  case menu(Menu)
  case refusal(String)

  init(_ decode: () throws -> Menu) {
    do { self = .menu(try decode()) } catch { self = .refusal("\(error)") }
  }
}

@Suite("The json-simdjson backend")
struct SimdjsonTests {
  private let codec = SimdjsonCodec()
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

  @Test("reads this program's menus by itself, with keys in any order, to the last byte")
  func ownMenus() throws {
    for (name, menu) in Fixtures.all where name != "extremes" {
      for options: JSONEncoder.OutputFormatting in [[], .sortedKeys, [.prettyPrinted]] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = options
        let read = try #require(Menu(simdjson: encoder.encode(menu)), "\(name)")
        #expect(read == menu && read.fingerprint == menu.fingerprint, "\(name)")
      }
    }
  }

  /// Each edit of the menu's JSON: what is replaced, and by what.
  private static let edits = [
    ("\"revision\":7", "\"revision\":7,\"rating\":5"), ("\"revision\":7", "\"revision\":7.0"),
    ("\"revision\":7", "\"revision\":7,\"revision\":8"), ("\"revision\":7", "\"version\":7"),
    ("\"revision\":7", "\"revision\":null"), ("\"revision\":7", "\"revision\":\"7\""),
    ("\"revision\":7", "\"revision\":-0"), ("\"revision\":7", "\"revision\":1e400"),
    ("\"revision\":7", "\"revision\":18446744073709551615"),
    ("\"revision\":7", "\"revision\":9007199254740993.0"), ("\"kind\":\"", "\"kind\":\"old "),
    ("\"energy\":", "\"energy\":1e-400,\"power\":"), ("\"energy\":", "\"energy\":0.0,\"power\":"),
    ("\"isRequired\":", "\"isRequired\":1,\"was\":"), ("\"options\":[", "\"options\":[null,"),
    ("\"name\":\"", "\"name\":\"\\ud83c"), ("\"name\":\"", "\"name\":\"\u{1}"),
    ("\"products\":[", "\"products\":[\(String(repeating: "[", count: 600))"),
  ]

  @Test("leaves other texts to JSONDecoder, which answers", arguments: edits)
  func otherTexts(old: String, new: String) throws {
    var menu = Fixtures.full
    menu.revision = 7
    let text = String(decoding: try JSONEncoder().encode(menu), as: UTF8.self)
    let edited = Data(text.replacing(old, with: new, maxReplacements: 1).utf8)
    #expect(text.contains(old) && Menu(simdjson: edited) == nil)
    checkAnswer(edited, new)
  }

  @Test("reads null as a missing value, and numbers that JSON may write in two ways")
  func sameValues() throws {
    let menu = Menu(
      id: 1, revision: 2, locale: "ru", currency: "RUB", city: "Пермь",
      categories: [Category(id: 3, parentID: nil, name: "🍕 é e\u{301}\u{0}")])
    let text = String(decoding: try JSONEncoder().encode(menu), as: UTF8.self)
    let edited = Data(text.replacing("\"id\":3", with: "\"parentID\":null, \"id\" : 3 ").utf8)
    #expect(Menu(simdjson: edited)?.fingerprint == menu.fingerprint)
  }

  @Test("answers like JSONDecoder for a menu cut short or with bytes changed, 400 seeds")
  func damage() throws {
    let whole = try JSONEncoder().encode(Fixtures.full)
    for seed in 0..<400 as Range<UInt64> {
      var random = SplitMix64(seed: seed)
      var json = whole
      if seed % 4 == 0 { json = json.prefix(random.below(json.count)) }
      for _ in 0..<random.below(4) where !json.isEmpty {
        json[random.below(json.count)] = UInt8(random.below(256))
      }
      checkAnswer(json, "seed \(seed)")
    }
    checkAnswer(Data(), "no byte")
    checkAnswer(Data([0xEF, 0xBB, 0xBF]) + whole, "byte order mark")
  }

  private func checkAnswer(_ json: Data, _ what: String) {
    let foundation = Answer { try JSONDecoder().decode(Menu.self, from: json) }
    #expect(Answer { try codec.decode(json) } == foundation, "\(what)")
    if let menu = Menu(simdjson: json) { #expect(.menu(menu) == foundation, "by itself: \(what)") }
  }
}
