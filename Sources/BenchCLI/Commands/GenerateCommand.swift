import ArgumentParser
import BenchAnalysis
import Foundation
import MenuModel
import MenuSources

struct GenerateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generate",
    abstract: "Writes a generated menu as JSON. A shape gives the same bytes on every machine.")

  @Option(help: "A preset, a preset with changes (large:lists=repeated), or your own shape.")
  var menu = "large"

  @Option(help: "The file to write. (default: standard output)")
  var out: String?

  func run() throws {
    let menu = Menu(shape: try MenuShape(parsing: menu))
    try MenuOutput.write(menu, to: out)
  }
}

/// Writes the menus of `generate` and `import`.
enum MenuOutput {
  static func write(_ menu: Menu, to path: String?) throws {
    let data = try MenuFile.encode(menu)
    guard let path, path != "-" else {
      return try Console.output(String(decoding: data, as: UTF8.self), isForPrograms: true)
    }
    try StoredRun.refuse("--out", replacingRunAt: path)
    try SafeFile.replace(path, with: data)
    let counts = menu.counts.prefix(5).map { Wording.counted($0.count, of: $0.of) }.joined(
      separator: ", ")
    Console.note("\(path): \(counts), fingerprint \(menu.fingerprint)")
  }
}
