import Basics
import Foundation
import MenuModel
import MenuSources
import Testing

@Suite("Menu files that cannot be used")
struct MenuFileTests {
  private func problem(_ text: String) -> String? { refusal(Data(text.utf8))?.message }

  private func problem(_ data: Data) -> String? { refusal(data)?.message }

  private func refusal(_ data: Data) -> Refusal? {
    #expect(throws: Refusal.self) { try MenuFile.decode(data) }
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

  @Test("a byte order mark is skipped")
  func byteOrderMark() throws {
    let data = try Data([0xEF, 0xBB, 0xBF]) + MenuFile.encode(Self.emptyMenu)
    #expect(try MenuFile.decode(data).menu == Self.emptyMenu)
  }

  @Test("an empty file is called empty, with a byte order mark too")
  func empty() {
    #expect(problem("") == "it is empty")
    #expect(problem(Data([0xEF, 0xBB, 0xBF])) == "it is empty")
  }

  @Test("invalid JSON is named with its place")
  func notJSON() {
    for (text, place) in [
      ("hello", "line 1, column 1"), ("{\n \"ключ\": x}", "line 2, column 10"),
      ("{\"a\":1,}", "line 1, column 8"), ("{} {}", "line 1, column 4"),
      ("[01]", "line 1, column 3"), (#"["\ud800"]"#, "line 1, column 9"),
    ] {
      #expect(refusal(Data(text.utf8)) == Refusal("it is not JSON at \(place)"))
    }
  }

  @Test("every incomplete menu file is called cut short, or empty")
  func truncated() throws {
    let whole = try MenuFile.encode(Self.emptyMenu).dropLast()
    for length in 1..<whole.count { #expect(problem(whole.prefix(length)) == Self.cut) }
    #expect(problem(" \n") == Self.cut)
    #expect(refusal(Data("[".utf8))?.help == "fetch or copy the file again")
  }

  private static let cut = "it ends too soon and was cut short"

  @Test("text that is not UTF-8 is refused at its first wrong byte")
  func notUTF8() {
    #expect(
      problem(Data("{\"é\": \"".utf8) + [0xFF] + Data("\"}".utf8))
        == "it is not UTF-8 at line 1, column 8")
    #expect(
      problem("{}".data(using: .utf16LittleEndian).map { [0xFF, 0xFE] + $0 } ?? Data())
        == "it is not UTF-8 at line 1, column 1")
    #expect(
      problem(Data("[\"".utf8) + [0xD0, 0x22])
        == "it is not UTF-8 at line 1, column 3")
  }

  @Test(
    "text that ends inside a letter is cut short",
    arguments: [[0xD0], [0xE6], [0xE6, 0xBC], [0xF0, 0x9F, 0x8D]] as [[UInt8]])
  func cutLetter(bytes: [UInt8]) {
    #expect(problem(Data("[\"".utf8) + bytes) == Self.cut)
  }

  @Test(
    "a key that occurs twice in an object is refused at its second place, but not in two objects")
  func repeatedKey() {
    let found = problem("{\"a\": {\"b\": 1, \"c\": {\"b\": 2},\n \"b\": 3}}")
    #expect(found == #"the key "b" at line 2, column 2 occurs twice in one object"#)
    #expect(problem(#"[{"b": 1}, {"b": 2}]"#) == Self.noKeys)
    #expect(
      problem(#"{"b": 1, "\u0062": 2}"#)
        == #"the key "b" at line 1, column 10 occurs twice in one object"#)
  }

  @Test("an object of more than 100,000 keys is refused before its end")
  func manyKeys() {
    let keys = (0...100_000).map { "\"k\($0)\":0" }.joined(separator: ",")
    let start = "an object has more than 100000 keys at line 1, column "
    #expect(problem("{\(keys),")?.hasPrefix(start) == true)
  }

  private static let noKeys = "it is not a menu in our format: its top level has no keys"

  @Test(
    "512 levels are read, and more are refused, closed or not", arguments: [513, 10_000, 1_000_000])
  func nesting(depth: Int) {
    let allowed = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
    #expect(problem(allowed) == Self.noKeys)
    let open = String(repeating: "[", count: depth)
    let refusal = "it is nested too deeply at line 1, column 513"
    #expect(problem(open) == refusal)
    #expect(problem(open + String(repeating: "]", count: depth)) == refusal)
  }

  @Test("a file in gzip is recognised by its first two bytes, with the command to unpack it")
  func gzip() {
    let help = "unpack it: gunzip -c FILE | bench import -"
    for bytes in [[0x1F, 0x8B], [0x1F, 0x8B, 8, 0]] as [[UInt8]] {
      #expect(refusal(Data(bytes)) == Refusal("it is compressed by gzip", help: help))
    }
    #expect(problem(Data([0x1F])) == "it is not JSON at line 1, column 1")
  }

  @Test("JSON in another format is refused with its keys and a way to convert it")
  func foreign() {
    let found = refusal(Data(#"{"b": 1, "a": null}"#.utf8))
    #expect(
      found?.message == #"it is not a menu in our format: its top level has the keys "a", "b""#)
    #expect(found?.help?.hasPrefix("convert it with jq, see Documentation/recipes.md") == true)
    #expect(problem("[1]") == Self.noKeys)
    let many = "{" + (10...19).map { "\"k\($0)\":0" }.joined(separator: ",") + "}"
    #expect(problem(many)?.hasSuffix(#""k16", "k17" and 2 more"#) == true)
  }

  @Test("another format and another schema are refused by name")
  func otherSchema() {
    #expect(
      problem(#"{"format":"x","schema":1}"#) == #"its format is "x", not "menubench.menu""#)
    for schema in [-1, 0, 2] {
      #expect(
        problem(own("{}", schema: "\(schema)"))
          == "it has schema \(schema) of menubench.menu, but this program reads schema 1")
    }
  }

  @Test("a wrong value is named by its path")
  func invalidValue() {
    #expect(problem(own("{}")) == "menu.id is missing")
    #expect(problem(own("null")) == "menu is null where a value is needed")
    #expect(problem(own(#"{"id":"7"}"#)) == "menu.id is not a whole number")
  }

  @Test("a number outside of whole numbers is named with its path, but unknown keys may have any")
  func oddNumbers() {
    let body = #""id":1,"x":[{"y":1.5}, 1e400],"revision":2.5,"locale":"en""#
    #expect(
      problem(own("{\(body)}"))
        == "menu.revision: 2.5 is not a whole number of 64 bits")
    #expect(
      problem(own("{}", schema: "9223372036854775808"))
        == "schema: 9223372036854775808 is not a whole number of 64 bits")
  }

  @Test("a number that is too large for any type is refused, with its path")
  func tooLargeNumbers() throws {
    let menu = String(decoding: try MenuFile.encode(Menu(shape: MenuShape(.small))), as: UTF8.self)
    let broken = menu.replacing(
      /"proteins" *: *[0-9.]+/, with: #""proteins":1e999"#, maxReplacements: 1)
    let found = problem(broken)
    #expect(found?.hasPrefix("menu.products[") == true)
    #expect(found?.hasSuffix(".proteins: 1e999 is larger than any number of 64 bits") == true)
  }

  @Test("a fraction that would become 0 is refused, with its path, but a 0 is not")
  func tooSmallNumbers() throws {
    let menu = String(decoding: try MenuFile.encode(Menu(shape: MenuShape(.small))), as: UTF8.self)
    func changed(_ number: String) -> String {
      menu.replacing(/"proteins" *: *[0-9.]+/, with: "\"proteins\":\(number)", maxReplacements: 1)
    }
    let found = problem(changed("1e-400"))
    #expect(found?.hasPrefix("menu.products[") == true)
    #expect(
      found?.hasSuffix(".proteins: 1e-400 is too close to 0 for a number of 64 bits: write 0")
        == true)
    #expect(throws: Never.self) { try MenuFile.decode(Data(changed("0.0").utf8)) }
  }

  @Test("a menu that contradicts itself is refused")
  func invalidMenu() throws {
    var menu = Self.emptyMenu
    menu.categories = [Category(id: 1, name: "a"), Category(id: 1, name: "b")]
    let first = "categories[1]: category 1 is already at categories[0]"
    #expect(problem(try MenuFile.encode(menu)) == first)
    menu.categories.append(Category(id: 1, name: "c"))
    #expect(problem(try MenuFile.encode(menu)) == first + " (and 1 more)")
  }
}
