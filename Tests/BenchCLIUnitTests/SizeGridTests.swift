import ArgumentParser
import BenchEngine
import BenchResults
import Foundation
import MenuModel
import MenuSources
import MenuWorkloads
import Testing

@testable import BenchCLI

@Suite("Growth is measured at sizes with equal ratios")
struct SizeGridTests {
  private func grid(_ arguments: String) throws -> SizeGrid {
    try ScaleSelection<Menu>.parse(arguments.split(separator: " ").map(String.init)).grid()
  }

  private func menus(_ arguments: String, like name: String) throws -> [String] {
    try grid(arguments).menus(like: name, from: MenuSource())
  }

  @Test("Both ends are included, and each size once")
  func sizes() throws {
    #expect(try grid("").sizes == [100, 316, 1_000, 3_162, 10_000, 31_623, 100_000])
    #expect(try grid("--from 1 --to 3 --points 9").sizes == [1, 2, 3])
    #expect(try grid("--from 7 --to 1000000 --points 3").sizes == [7, 2_646, 1_000_000])
  }

  @Test(
    "Invalid sizes are refused with valid ones",
    arguments: [
      ("--from 0", "--from '0' is out of range", "give a number from 1 to 1000000"),
      ("--from=-5", "--from '-5' is out of range", "give a number from 1 to 1000000"),
      ("--to 1000001", "--to '1000001' is out of range", "give a number from 1 to 1000000"),
      (
        "--from 100000", "--from 100000 is not below --to 100000",
        "give the smallest size with --from and the largest with --to"
      ),
      (
        "--from 9 --to 8", "--from 9 is not below --to 8",
        "give the smallest size with --from and the largest with --to"
      ),
      ("--points 2", "--points '2' is out of range", "give a number from 3 to 50"),
      ("--points 51", "--points '51' is out of range", "give a number from 3 to 50"),
    ])
  func refused(_ arguments: String, _ message: String, _ help: String) {
    let error = refusal { _ = try grid(arguments) }
    #expect(error?.message == message)
    #expect(error?.status == .usage)
    #expect(error?.help == help)
  }

  @Test("Sizes with the same shape count once, and too few shapes are refused")
  func shapes() throws {
    let names = try menus("--from 1 --to 12000 --points 4", like: "large")
    #expect(names.last == "large")
    #expect(names.count == 4)
    let error = refusal { _ = try menus("--from 1 --to 2 --points 9", like: "large") }
    #expect(error?.message.hasPrefix("1 to 2 slot options give 2 of the 3 menus") == true)
  }

  @Test("A file, an unknown menu, several menus and impossible sizes are refused")
  func unsizable() throws {
    try inFolder { folder in
      let file = folder + "/menu.json"
      try MenuOutput.write(Menu(shape: MenuShape(.small)), to: file)
      let ofFile = refusal { _ = try menus("", like: file) }
      #expect(ofFile?.message == "'\(file)' cannot have other sizes")
      #expect(ofFile?.help?.hasPrefix("give a generated menu with --menu") == true)
    }
    #expect(refusal { _ = try menus("", like: "lrage") }?.help?.contains("'large'") == true)
    #expect(
      refusal { _ = try menus("", like: "small,large") }?.message
        == "--menu 'small,large' names several menus")
    let lean = "products=1000000,combos=1,slots=1,options=1"
    #expect(
      refusal { _ = try menus("--from 1 --to 100 --points 3", like: lean) }?.message
        .hasSuffix("cannot have 10 slot options: no menu is that large") == true)
  }

  @Test("If a document has no measure of size, all things are counted")
  func otherDocument() throws {
    let grid = try grid("--from 100 --to 200 --points 3")
    let error = refusal { _ = try grid.menus(like: "notes", from: NotesSource()) }
    #expect(
      error?.message == "'notes' cannot have 200 things in all: no menu is that large")
    let help = ScaleSelection<Notes>.helpMessage(columns: 200)
    #expect(help.contains("The smallest menu, in things in all. (default: 100)"))
    let ofMenus = ScaleCommand<OwnSuite>.helpMessage(columns: 200)
    #expect(ofMenus.contains("The smallest menu, in slot options. (default: 100)"))
  }
}

private struct Notes: BenchDocument {
  var counts: [(of: String, count: Int)] { [] }
  func visit(_ checksum: inout Checksum) {}
  func revised(_ number: Int) -> Notes { self }
}

/// Notes of every size up to 150.
private struct NotesSource: DocumentSource {
  var presets: [(name: String, summary: String)] { [] }
  func sized(_ name: String, at size: Int) -> String? { size <= 150 ? "\(size)" : nil }
  func load(_ name: String) throws -> LoadedDocument<Notes> { throw unknown(name) }
}
