import ArgumentParser
import Foundation
import MenuModel

/// `bench import`: a menu of a known format, or of any JSON that a mapping explains, in our own.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Reads a menu in a known format and writes it as our own JSON.",
    discussion: """
      Our own format has a schema: Datasets/menu.schema.json. Gzip is undone, whatever a file is called.
      Documentation/own-menu.md shows how to write a mapping.
      """)

  @OptionGroup var input: MenuInput

  @Option(help: "The file to write; standard output where it is not given.")
  var out: String?

  func run() throws {
    let imported = try input.read()
    try MenuOutput.write(imported.menu, to: out)
  }
}

/// Somebody's own menu, as the command line names it.
struct MenuInput: ParsableArguments {
  @Argument(help: "The file, or - for standard input; its format is recognised by its content.")
  var file: String

  @Option(help: "A file that says where in JSON of another format the parts of a menu are.")
  var mapping: String?

  /// The menu; says its format and what had no place.
  ///
  /// - Throws: `MenuFileError`.
  func read() throws -> ImportedMenu {
    let mapping = try mapping.map { try MenuMapping.load(path: $0) }
    let isInput = file == MenuFile.standardInput
    if isInput, isatty(STDIN_FILENO) == 1 {
      Console.note("waiting for a menu on standard input; Ctrl-D ends it")
    }
    let imported =
      isInput
      ? try MenuFile.load(from: .standardInput, mappedBy: mapping)
      : try MenuFile.load(path: file, mappedBy: mapping)
    Console.note("\(isInput ? "standard input" : file): format \(imported.format)")
    for note in imported.notes { Console.note("note: \(note)") }
    return imported
  }
}
