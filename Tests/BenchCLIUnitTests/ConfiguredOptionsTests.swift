import ArgumentParser
import Foundation
import Testing

@testable import BenchCLI

@Suite("Options of a configuration")
struct ConfiguredOptionsTests {
  /// Arguments with what a file adds to them.
  private func merged(_ typed: String, _ file: String) throws -> String {
    var words: [String] = []
    try inFolder { folder in
      let path = folder + "/gate.json"
      try Data(file.utf8).write(to: URL(fileURLWithPath: path))
      let typed = typed.split(separator: " ").map(String.init) + ["--config", path]
      words = try ConfiguredArguments.merged(typed).all
    }
    return words.dropLast(2).joined(separator: " ")
  }

  @Test(
    "Stand before those typed, as they would be typed; those of other commands are left out",
    arguments: [
      ("gate", "{}", "gate"),
      (
        "gate --budget 9", #"{"options": {"budget": 60, "backend": "json,sqlite"}}"#,
        "gate --budget=60 --backend=json,sqlite --budget 9"
      ),
      ("gate", #"{"gate": {"tier": "exact"}, "run": {"blocks": 3}}"#, "gate --tier=exact"),
      (
        "gate", #"{"gate": {"budget": 9}, "options": {"budget": 1e2}}"#,
        "gate --budget=1e2 --budget=9"
      ),
      (
        "gate",
        #"{"options": {"strict": true, "quiet": false, "explain": false, "one-size": true}}"#,
        "gate --strict --no-explain"
      ),
      (
        "gate", #"{"options": {"tag": ["pr=1", "by=\u0061"], "export": "csv=a.csv"}}"#,
        "gate --tag=pr=1 --tag=by=a --export=csv=a.csv"
      ),
      ("gate --baseline main", #"{"gate": {"against": "HEAD"}}"#, "gate --baseline main"),
      ("gate --baseline main", #"{"gate": {"product": "bench"}}"#, "gate --baseline main"),
      ("gate --no-files", #"{"options": {"out": "here"}}"#, "gate --no-files"),
      ("report latest", #"{"options": {"wide": true}}"#, "report latest"),
    ])
  func merging(_ typed: String, _ file: String, _ all: String) throws {
    #expect(try merged(typed, file) == all)
  }

  @Test("Are options of each command that is said to have them", arguments: KnownOption.all)
  func known(_ option: KnownOption) throws {
    for command in option.commands {
      let help = Self.help(of: command)
      #expect(
        help.contains("--\(option.name) ") || help.contains("--\(option.name)/"), "\(command)")
      #expect(!option.isOn || help.contains("--no-\(option.name) "), "\(command)")
    }
  }

  @Test("Are all that a command has, but for what makes sense typed alone")
  func complete() {
    let others: Set = [
      "config", "inject", "save-baseline", "allow-debug", "help", "version", "run", "mix-processes",
      "shard", "costs",
    ]
    for command in ConfiguredOption.commands {
      let found = Self.help(of: command).matches(of: /\n  (?:-h, )?--([a-z-]+)/).map {
        String($0.1)
      }
      let known = KnownOption.all.filter { $0.commands.contains(command) }.map(\.name)
      #expect(Set(found).subtracting(others) == Set(known), "\(command)")
    }
  }

  private static func help(of command: String) -> String {
    switch command {
    case "run": RunCommand<OwnSuite>.helpMessage(columns: 80)
    case "gate": GateCommand<OwnSuite>.helpMessage(columns: 80)
    case "compare": CompareCommand<OwnSuite>.helpMessage(columns: 80)
    case "scale": ScaleCommand<OwnSuite>.helpMessage(columns: 80)
    default: ""
    }
  }

  @Test("Help takes 80 columns at most", arguments: ConfiguredOption.commands)
  func width(_ command: String) throws {
    let widest = try #require(Self.help(of: command).split(separator: "\n").map(\.count).max())
    #expect(widest <= 80)
  }
}
