import ArgumentParser
import Foundation
import MenuModel
import MenuSources

struct ShapeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shape",
    abstract: "Prints a menu's shape: one line for --menu that generates a similar menu.",
    discussion: """
      A shape holds counts, lengths of lists and texts, and which parts exist: no text, id or price.
      Standard error shows how close the menu of that shape comes to yours.
      """)

  @OptionGroup var input: MenuInput

  func run() throws {
    let menu = try input.read()
    let shape = try MenuShape(of: menu)
    let generated = Menu(shape: shape)
    Console.note(lines: try Self.table(menu, beside: generated).map { "  " + $0 })
    try Console.output("\(shape)\n")
  }

  /// Returns a table of both menus' figures, one per line.
  static func table(_ menu: Menu, beside generated: Menu) throws -> [String] {
    let figures = try Self.figures(menu)
    let others = Dictionary(
      uniqueKeysWithValues: try Self.figures(generated).map { ($0.of, $0.number) })
    let rows =
      [["", "this menu", "by its shape"]]
      + figures.map { [$0.of, "\($0.number)", others[$0.of].map { "\($0)" } ?? "—"] }
    let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      row[0].padded(to: widths[0])
        + (1..<3).map { column in
          String(repeating: " ", count: 2 + widths[column] - row[column].count) + row[column]
        }.joined()
    }
  }

  private static func figures(_ menu: Menu) throws -> [(of: String, number: Int)] {
    menu.extent + [("bytes of JSON", try MenuFile.encode(menu).count)]
  }
}
