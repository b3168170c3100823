import ArgumentParser
import Foundation
import MenuModel
import MenuSources

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Checks a menu file and writes it with sorted keys.",
    discussion: """
      The format has a schema: Datasets/menu.schema.json.
      Documentation/recipes.md shows how jq converts the menus of other systems.
      """)

  @OptionGroup var input: MenuInput

  @Option(help: "The file to write. (default: standard output)")
  var out: String?

  func run() throws {
    try StoredRun.refuse("--out", writing: [out].compactMap(\.self), losing: [input.file])
    try MenuOutput.write(try input.read(), to: out)
  }
}

/// The user's own menu, as named on the command line.
struct MenuInput: ParsableArguments {
  @Argument(help: "The file, or - for standard input.")
  var file: String

  /// Reads the menu. Notes the parts of the file that have no place in it.
  ///
  /// - Throws: `Refusal` if it cannot be read or is not a menu.
  func read() throws -> Menu {
    let isInput = file == MenuFile.standardInput
    if isInput, isatty(STDIN_FILENO) == 1 {
      Console.note("waiting for a menu on standard input: Ctrl-D ends it")
    }
    let read = isInput ? try MenuFile.load(from: .standardInput) : try MenuFile.load(path: file)
    for note in read.notes { Console.note("note: \(note)") }
    return read.menu
  }
}
