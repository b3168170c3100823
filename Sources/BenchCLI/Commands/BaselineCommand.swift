import ArgumentParser
import BenchAnalysis
import BenchReports
import BenchResults

/// `bench baseline`: runs kept by name, to compare with.
struct BaselineCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "baseline", abstract: "Keeps runs by name, to compare with.",
      discussion: "They are files in Reports/baselines; --baseline NAME compares with one.",
      subcommands: [
        BaselineSaveCommand.self, BaselineListCommand.self, BaselineShowCommand<App>.self,
        BaselineRemoveCommand.self,
      ])
  }
}

/// `bench baseline save`.
struct BaselineSaveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "save",
    abstract: "Keeps a stored run by name; never over one that it is worse or less than.")

  @Argument(help: "The baseline's name.")
  var name: String

  @Option(help: "A run.json, or the folder that holds one.")
  var from = "Reports/latest"

  func run() throws {
    let name = try BaselineName(typed: name)
    let store = BaselineStore()
    try store.save(try StoredRun.read(from), as: name)
    Console.note("baseline '\(name)': \(store.path(of: name))")
  }
}

/// `bench baseline list`.
struct BaselineListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "The baselines, and what each is worth on this machine.")

  func run() throws {
    let store = BaselineStore()
    let files = try store.files()
    guard !files.isEmpty else {
      return Console.note(
        "no baselines in \(store.folder): make one with 'bench baseline save NAME'")
    }
    let here = ThisMachine()
    let texts = files.map { file in
      Console.printable(file) + "\n"
        + BaselineWording.text(lines(file, in: store, on: here), indent: "  ")
    }
    try Console.output(texts.joined(separator: "\n"))
  }

  private func lines(
    _ file: String, in store: BaselineStore, on here: ThisMachine
  ) -> [BaselineWording.Line] {
    guard let name = BaselineName(file) else { return [("broken", BaselineName.rule)] }
    do {
      return BaselineWording.summary(try store.read(name), on: here)
    } catch {
      return [("broken", ErrorWording.line(for: error))]
    }
  }
}

/// `bench baseline show`.
struct BaselineShowCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show", abstract: "The report of a baseline, and what it may be compared with.")
  }

  @Argument(help: "The baseline's name.")
  var name: String

  @Option(help: "table, csv, markdown or json.")
  var format = "table"

  func run() throws {
    let name = try BaselineName(typed: name)
    let options = ReportOptions(format: format)
    let reporter = try options.reporter(among: App.reporters)
    let record = try BaselineStore().read(name)
    let key =
      "baseline \(name)\n"
      + BaselineWording.text(BaselineWording.key(record, on: ThisMachine()), indent: "  ")
    // A table is for people; what programs read must stay as it is.
    if reporter.id == "table" {
      try Console.output(key + "\n")
    } else {
      Console.note(String(key.dropLast()))
    }
    try options.show(record, against: nil, as: App.reporters)
  }
}

/// `bench baseline remove`.
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
