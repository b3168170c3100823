import ArgumentParser
import Basics
import BenchAnalysis
import BenchReports
import BenchResults
import Foundation

struct BaselineCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "baseline", abstract: "Keeps runs by name, to compare with.",
      discussion: """
        They are files in Reports/baselines. --baseline NAME compares with one.
        """,
      subcommands: [
        BaselineSaveCommand<App>.self, BaselineListCommand.self, BaselineShowCommand.self,
        BaselineRemoveCommand.self,
      ])
  }
}

struct BaselineSaveCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "save",
      abstract: """
        Keeps a stored run by name, unless a figure of the present baseline would become worse or \
        be missing. Tolerances and limits of menubench.json apply.
        """)
  }

  @Argument(help: "The baseline's name.")
  var name: String

  @Option(help: "A run.json, or the folder that holds one.")
  var from = "Reports/latest"

  func run() throws {
    let name = try BaselineName(typed: name)
    let store = BaselineStore()
    let record = try StoredRun.read(from)
    let judgement = try VerdictOptions.parse([]).judgement(in: App.suite, of: record.rowKeys)
    try store.save(record, as: name, judgement)
    Console.note("baseline '\(name)': \(store.path(of: name))")
    if let doubt = BaselineWording.doubt(record) { Console.note("its times are \(doubt)") }
    if !BaselineWording.hasTimes(record) { Console.note("it has no times to compare with") }
  }
}

struct BaselineListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "Lists the baselines, and what compares with them here.")

  func run() throws {
    let store = BaselineStore()
    let files = try store.files()
    guard !files.isEmpty else {
      return Console.note(
        "no baselines in \(store.folder): make one with 'bench baseline save NAME'")
    }
    let here = Machine.this()
    let texts = files.map { file in
      file.displayable + "\n" + BaselineWording.text(lines(file, in: store, on: here))
    }
    try Console.output(texts.joined(separator: "\n"))
  }

  private func lines(
    _ file: String, in store: BaselineStore, on here: Machine
  ) -> [BaselineWording.Line] {
    guard let name = BaselineName(file) else { return [("broken", BaselineName.rule)] }
    do {
      return BaselineWording.lines(try store.read(name), on: here)
    } catch {
      return [("broken", ErrorWording.line(for: error))]
    }
  }
}

struct BaselineShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Shows the report of a baseline.")

  @Argument(help: "The baseline's name.")
  var name: String

  @OptionGroup var options: ShowOptions

  func run() throws {
    let show = try options.chosen()
    let report = Report(record: try BaselineStore().read(try BaselineName(typed: name)))
    try show(report)
    try report.enforce()
  }
}

struct BaselineRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Removes a baseline.")

  @Argument(help: "The baseline's name.")
  var name: String

  func run() throws {
    let name = try BaselineName(typed: name)
    try BaselineStore().remove(name)
    Console.note("baseline '\(name)' removed")
  }
}

/// A baseline's name, which cannot lead out of the folder of baselines.
struct BaselineName: Hashable, CustomStringConvertible {
  /// The name, without the file's extension.
  let description: String

  /// The longest name, in characters.
  static let lengthLimit = 100
  /// Explains valid names in error messages. A git branch may be one.
  static let rule =
    "a name has 1 to \(lengthLimit) of A-Z a-z 0-9 . _ - / @ # +, and no part begins with a dot"

  /// Returns nil if the name is invalid.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...Self.lengthLimit).contains(text.utf8.count),
      text.unicodeScalars.allSatisfy({
        Self.plain.contains($0) || "/@#+".unicodeScalars.contains($0)
      }),
      parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") })
    else { return nil }
    description = text
  }

  /// Parses a file's name without its extension. Returns nil if it is not a baseline's.
  init?(fileName: String) {
    guard let text = fileName.removingPercentEncoding, let name = Self(text),
      name.fileName == fileName
    else { return nil }
    self = name
  }

  /// The file's name without its extension, such as `feature%2Flogin`.
  var fileName: String {
    description.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? description
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")

  /// Parses a name as typed.
  init(typed text: String) throws {
    guard let name = Self(text) else {
      let shown = text.count > 60 ? text.prefix(60) + "…" : text[...]
      throw CLIError(
        text.isEmpty ? "an empty baseline name" : "'\(shown)' is not a baseline name",
        help: Self.rule, status: .usage)
    }
    self = name
  }
}

/// Describes baselines, in lines of a label and a text.
enum BaselineWording {
  typealias Line = (label: String, text: String)

  /// Aligns the texts of lines, and breaks them between words if a width is given.
  static func text(_ lines: [Line], columns: Int? = Console.terminalWidth) -> String {
    let width = lines.map(\.label.count).max() ?? 0
    return lines.flatMap {
      [$0.text].lines(behind: "  \($0.label.padded(to: width))  ", columns: columns)
    }.map { $0.displayable + "\n" }.joined()
  }

  /// Whether a run has any times. A gate by counts alone has none.
  static func hasTimes(_ record: RunRecord) -> Bool {
    record.judged.contains { $0.metric.isTime && !$0.blocks.isEmpty }
  }

  /// Explains why comparing its times would say little. Nil if they have intervals or there are none.
  static func doubt(_ record: RunRecord) -> String? {
    let blocks = record.judged.filter(\.metric.isTime).map(\.blocks.count).filter { $0 > 0 }.min()
    guard let blocks, blocks < MeanSum.fewest else { return nil }
    // A verdict needs more blocks if there are more rows. For thousands of rows, 12 are enough.
    return
      "from \(Wording.plural(blocks, "block")), too few for an interval: to compare times, save a"
      + " run of --blocks 12"
  }

  /// Lists when it was measured, its cells and menus, and what is comparable on this machine.
  static func lines(_ record: RunRecord, on here: Machine) -> [Line] {
    let cells = record.judged.map(\.cell).distinct
    let names = cells.isEmpty ? "nothing measured" : Wording.list(cells.map(\.description), most: 8)
    let menus = record.menus.map { "\($0.name) (\($0.fingerprint))" }
    let found = here.comparability(with: record)
    let differences = found.machineDifferences.joined(separator: "; ")
    let times =
      if let method = found.methodDifference {
        "nothing is comparable here any more: \(method)"
      } else if found.comparesTimes {
        [hasTimes(record) ? "comparable here" : "none measured", doubt(record)].compactMap(\.self)
          .joined(separator: "; ")
      } else {
        "not comparable here, but counts are: \(differences)"
      }
    let shifts = found.allocationDifferences.joined(separator: "; ")
    return [
      ("measured", "\(record.settings.started), revision \(record.tool.revision ?? "unknown")"),
      (Wording.plural(cells.count, "cell"), names),
      ("menus", menus.isEmpty ? "unknown" : Wording.list(menus, most: 8)), ("times", times),
    ]
      + (shifts.isEmpty
        ? [] : [("counts", "allocations may differ for this reason alone: \(shifts)")])
  }
}
