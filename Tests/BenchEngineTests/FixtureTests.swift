import BenchEngine
import BenchResults
import MenuModel
import MenuSources
import Testing

@Suite("Two documents that are stored alternately")
struct FixtureTests {
  private struct Note: BenchDocument {
    var texts: [String]

    func visit(_ checksum: inout Checksum) { checksum.addAll(texts) { $1.add($0) } }

    func revised(_ number: Int) -> Note {
      Note(texts: number == 0 ? texts : ["new"] + texts.dropFirst(2))
    }

    var counts: [(of: String, count: Int)] { [("texts", texts.count)] }
  }

  @Test("differ by the lines of JSON that only one of them has")
  func change() {
    // Its JSON has a line for each text, and four for the braces and the key.
    let fixtures = Fixtures(Note(texts: ["a", "b", "c", "d"]))
    #expect(fixtures.change == MenuInfo.Change(lines: 2, of: 8))
  }

  @Test("differ in prices, availability, texts and contents if they are menus")
  func menus() throws {
    let both = Fixtures(Menu(shape: MenuShape(.small))).both.map(\.document)
    let old = Dictionary(uniqueKeysWithValues: both[0].products.map { ($0.id, $0) })
    let pairs = both[1].products.compactMap { new in old[new.id].map { ($0, new) } }
    #expect(pairs.contains { $0.variants.map(\.price) != $1.variants.map(\.price) })
    #expect(pairs.contains { $0.availability != $1.availability })
    #expect(pairs.contains { $0.details.utf8.count != $1.details.utf8.count })
    #expect(pairs.count < both[0].products.count && pairs.count < both[1].products.count)
    let change = try #require(Fixtures(both[0]).change)
    #expect(change.lines * 100 > change.of, "more than a hundredth of it")
  }
}
