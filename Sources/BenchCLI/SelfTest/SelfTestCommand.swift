import ArgumentParser
import BenchAnalysis
import BenchHarness
import BenchProbes
import BenchResults
import Foundation

/// `bench selftest`: what the gate's verdicts are worth on this machine.
struct SelfTestCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "selftest",
      abstract: "Measures how often the gate cries wolf here, and what it overlooks.",
      discussion: """
        Records blocks of this program against itself, replays them in a thousand gates, injects
        costs and counts how many are found. Takes about twenty minutes with its defaults.
        """)
  }

  @Option(help: "Backends, or all: see bench list backends.")
  var backend = "json,plist,sqlite,memory"

  @Option(help: "The menu: a preset, a shape by hand, or a file.")
  var menu = "large"

  @Option(
    help: ArgumentHelp(
      "Backends and phases that are slowed down; into the first, other costs go too. "
        + "(default: those of json/decode,sqlite/read that are measured)"))
  var target: String?

  @Option(parsing: .unconditional, help: "Gates that are replayed from recorded blocks.")
  var suites = 1_000

  @Option(parsing: .unconditional, help: "Pairs of blocks that are recorded of each cell.")
  var pairs = 44

  @Option(parsing: .unconditional, help: "Whole gates of this program against itself.")
  var gates = 5

  @Option(
    parsing: .unconditional, help: "Blocks of counters a side; every two of them are compared.")
  var counted = 23

  @Option(help: "The page that is written.")
  var out = "Reports/gate-selftest.md"

  @Option(help: "The folder in which stores are made and removed.")
  var storage = "Reports/latest"

  @Option(parsing: .unconditional, help: "The seed of everything that is drawn.")
  var seed: UInt64 = 1

  @Flag(help: "Measure a debug build all the same; its times say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    try Build.refuseDebug(unless: allowDebug)
    try check()
    let setup = try SelfTestSetup<App>(
      backend: backend, menu: menu, target: target, storage: storage, seed: seed)
    let amounts = SelfTestAmounts(suites: suites, pairs: pairs, gates: gates, counted: counted)
    let interruption = Interruption()
    let measuring = Task { try await SelfTest(setup: setup, amounts: amounts).findings() }
    interruption.watch { measuring.cancel() }
    do {
      let page = SelfTestPage(try await measuring.value, command: typed).markdown
      try Console.output(page)
      try SafeFile.replace(out, with: Data(page.utf8))
      Console.note("written to \(out)")
    } catch is CancellationError {
      interruption.reraise()
      throw CLIError("the self-test was interrupted", status: .failed)
    }
  }

  private var typed: String {
    let arguments = CommandLine.arguments.dropFirst().joined(separator: " ")
    return "bench " + arguments
  }

  private func check() throws {
    try refuse("--suites", suites, outside: 1...1_000_000)
    try refuse("--pairs", pairs, outside: 1...10_000)
    try refuse("--gates", gates, outside: 0...1_000)
    try refuse("--counted", counted, outside: 1...1_000)
  }
}

/// How much of everything a self-test takes.
struct SelfTestAmounts: Sendable {
  /// Gates that are replayed.
  var suites: Int
  /// Pairs of blocks recorded of each cell.
  var pairs: Int
  /// Real gates.
  var gates: Int
  /// Blocks of counters a side.
  var counted: Int
}
