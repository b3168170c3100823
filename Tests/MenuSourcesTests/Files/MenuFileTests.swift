import Basics
import Foundation
import MenuModel
import MenuSources
import Testing

@Suite("Menu files that cannot be used")
struct MenuFileTests {
  private func problem(_ text: String) -> MenuFileProblem? {
    problem(Data(text.utf8))
  }

  private func problem(_ data: Data) -> MenuFileProblem? {
    #expect(throws: MenuFileProblem.self) { try MenuFile.decode(data) }
  }

  private func own(_ menu: String, schema: String = "1") -> String {
    #"{"format":"menubench.menu","schema":\#(schema),"menu":\#(menu)}"#
  }

  private static let emptyMenu = Menu(
    id: 1, revision: 1, locale: "en-US", currency: "USD", city: "Springfield")

  @Test("a menu that was written is read back equal")
  func roundTrip() throws {
    let data = try MenuFile.encode(Self.emptyMenu)
    #expect(try MenuFile.decode(data) == MenuFile(menu: Self.emptyMenu))
    #expect(
      String(decoding: data.prefix(40), as: UTF8.self)
        == #"{"format":"menubench.menu","menu":{"cate"#)
  }

  @Test("a byte order mark is stepped over")
  func byteOrderMark() throws {
    let data = try Data([0xEF, 0xBB, 0xBF]) + MenuFile.encode(Self.emptyMenu)
    #expect(try MenuFile.decode(data).menu == Self.emptyMenu)
  }

  @Test("an empty file is called empty, with a byte order mark too")
  func empty() {
    #expect(problem("") == .empty)
    #expect(problem(Data([0xEF, 0xBB, 0xBF])) == .empty)
  }

  @Test("the place of what is not JSON is named")
  func notJSON() {
    #expect(problem("hello") == .notJSON(found: "h", at: TextPosition(line: 1, column: 1)))
    #expect(
      problem("{\n \"ключ\": x}") == .notJSON(found: "x", at: TextPosition(line: 2, column: 10)))
    #expect(problem("{\"a\":1,}") == .notJSON(found: "}", at: TextPosition(line: 1, column: 8)))
    #expect(problem("{} {}") == .notJSON(found: "{", at: TextPosition(line: 1, column: 4)))
    #expect(problem("[01]") == .notJSON(found: "1", at: TextPosition(line: 1, column: 3)))
    #expect(problem(#"["\ud800"]"#)?.help == nil)
    #expect(
      problem(#"["\ud800"]"#) == .notJSON(found: "\"", at: TextPosition(line: 1, column: 9)))
  }

  @Test("every beginning of a menu file is called cut short, or empty")
  func truncated() throws {
    let whole = try MenuFile.encode(Self.emptyMenu).dropLast()
    for length in 1..<whole.count {
      let end = TextPosition(line: 1, column: length + 1)
      #expect(problem(whole.prefix(length)) == .truncated(end: end))
    }
    #expect(problem(" \n") == .truncated(end: TextPosition(line: 2, column: 1)))
  }

  @Test("text that is not UTF-8 is refused at its first wrong byte")
  func notUTF8() {
    #expect(
      problem(Data("{\"é\": \"".utf8) + [0xFF] + Data("\"}".utf8))
        == .notUTF8(byte: 0xFF, at: TextPosition(line: 1, column: 8)))
    #expect(
      problem("{}".data(using: .utf16LittleEndian).map { [0xFF, 0xFE] + $0 } ?? Data())
        == .notUTF8(byte: 0xFF, at: TextPosition(line: 1, column: 1)))
    #expect(
      problem(Data("[\"".utf8) + [0xD0, 0x22])
        == .notUTF8(byte: 0xD0, at: TextPosition(line: 1, column: 3)))
  }

  @Test(
    "text that ends inside a letter is cut short",
    arguments: [[0xD0], [0xE6], [0xE6, 0xBC], [0xF0, 0x9F, 0x8D]] as [[UInt8]])
  func cutLetter(bytes: [UInt8]) {
    #expect(
      problem(Data("[\"".utf8) + bytes) == .truncated(end: TextPosition(line: 1, column: 4)))
  }

  @Test("a key that an object has twice is refused at its second place; other objects may have it")
  func repeatedKey() {
    let found = problem("{\"a\": {\"b\": 1, \"c\": {\"b\": 2},\n \"b\": 3}}")
    #expect(found == .repeatedKey("b", at: TextPosition(line: 2, column: 2)))
    #expect(
      found?.description == #"the key "b" at line 2, column 2 is there twice in one object"#)
    #expect(problem(#"[{"b": 1}, {"b": 2}]"#) == .foreign(topLevelKeys: []))
    #expect(
      problem(#"{"b": 1, "\u0062": 2}"#)
        == .repeatedKey(#"\u0062"#, at: TextPosition(line: 1, column: 10)))
  }

  @Test(
    "512 levels are read; more are refused, closed or not", arguments: [513, 10_000, 1_000_000])
  func nesting(depth: Int) {
    let allowed = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(problem(allowed) == .foreign(topLevelKeys: []))
    let open = String(repeating: "[", count: depth)
    let refusal = MenuFileProblem.tooDeep(at: TextPosition(line: 1, column: 513))
    #expect(problem(open) == refusal)
    #expect(problem(open + String(repeating: "]", count: depth)) == refusal)
  }

  @Test("a file in gzip is told by its first two bytes, and is to be undone first")
  func gzip() {
    #expect(problem(Data([0x1F, 0x8B])) == .gzip)
    #expect(problem(Data([0x1F, 0x8B, 8, 0])) == .gzip)
    let start = TextPosition(line: 1, column: 1)
    #expect(problem(Data([0x1F])) == .notJSON(found: "\u{1F}", at: start))
  }

  @Test("JSON in another format is refused with its keys and a way to convert it")
  func foreign() {
    let found = problem(#"{"b": 1, "a": null}"#)
    #expect(found == .foreign(topLevelKeys: ["a", "b"]))
    #expect(
      found?.description
        == #"it is not a menu in our format: its top level has the keys "a", "b""#)
    #expect(found?.help?.hasPrefix("convert it with jq, see Documentation/recipes.md") == true)
    #expect(
      problem("[1]")?.description
        == "it is not a menu in our format: its top level has no keys")
    let many = "{" + (10...19).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
    #expect(problem(many)?.description.hasSuffix(#""k16", "k17" and 2 more"#) == true)
  }

  @Test("another format and another schema are refused by name")
  func otherSchema() {
    let other = problem(#"{"format":"x","schema":1}"#)
    #expect(other == .otherFormat("x"))
    #expect(other?.description == #"its format is "x", not "menubench.menu""#)
    for schema in [-1, 0, 2] {
      #expect(problem(own("{}", schema: "\(schema)")) == .otherSchema(schema))
    }
    #expect(
      problem(own("{}", schema: "2"))?.description
        == "it has schema 2 of menubench.menu; this program reads schema 1")
  }

  @Test("a wrong value is named by its path")
  func invalidValue() {
    #expect(problem(own("{}")) == .invalidValue("menu.id", reason: "is missing"))
    #expect(
      problem(own("null")) == .invalidValue("menu", reason: "is null where a value is needed"))
    #expect(
      problem(own(#"{"id":"7"}"#))
        == .invalidValue("menu.id", reason: "is not a whole number"))
  }

  @Test("a number that no whole number can hold is named with its path, though others may be odd")
  func oddNumbers() {
    let body = #""id":1,"x":[{"y":1.5}, 1e400],"revision":2.5,"locale":"en""#
    #expect(
      problem(own("{\(body)}"))
        == .invalidValue("menu.revision", reason: "2.5 is not a whole number of 64 bits"))
    #expect(
      problem(own("{}", schema: "9223372036854775808"))
        == .invalidValue(
          "schema", reason: "9223372036854775808 is not a whole number of 64 bits"))
  }

  @Test("a number that no number can hold is said to be too large, with its path")
  func tooLargeNumbers() throws {
    let menu = String(decoding: try MenuFile.encode(Menu(shape: MenuShape(.small))), as: UTF8.self)
    let broken = menu.replacing(
      /"proteins" *: *[0-9.]+/, with: #""proteins":1e999"#, maxReplacements: 1)
    guard case .invalidValue(let path, let reason) = problem(broken) else {
      Issue.record("the number should be refused")
      return
    }
    #expect(path.hasPrefix("menu.products[") && path.hasSuffix(".proteins"))
    #expect(reason == "1e999 is larger than any number of 64 bits")
  }

  @Test("a menu that contradicts itself is refused")
  func invalidMenu() throws {
    var menu = Self.emptyMenu
    menu.categories = [Category(id: 1, name: "a"), Category(id: 1, name: "b")]
    guard case .invalidMenu(let problems) = problem(try MenuFile.encode(menu)) else {
      Issue.record("the menu should be invalid")
      return
    }
    #expect(
      problems.map(\.description) == ["categories[1]: category 1 is already at categories[0]"])
  }
}
