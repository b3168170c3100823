import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchResults
import Foundation

/// `bench selftest`: what the gate's verdicts are worth on this machine.
struct SelfTestCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "selftest",
      abstract: "Measures the gate's false positives and misses on this machine.",
      usage: "bench selftest [<options>]",
      discussion: """
        Holds whole gates of this checkout's commit against itself, put together in different orders by the \
        linker: with nothing changed and with a phase slowed down, on the machine as it is and beside a busy \
        neighbour. Each is added to those that were recorded before, and the page is made of all.
        With --replays it records pairs once instead and replays a thousand gates from them, in about \
        twenty minutes.
        """)
  }

  @Option(help: "Backends, or all: see bench list backends.")
  var backend = "json,plist,sqlite,memory"

  @Option(help: "The menu: a preset, a shape by hand, or a file.")
  var menu = "large"

  @Option(
    help: ArgumentHelp(
      "Phases to slow down, as backend/phase, with @durable at that durability; other costs that "
        + "--replays adds go into the first. "
        + "(default: those of json/decode,sqlite/read,sqlite/write@durable that are measured)"))
  var target: String?

  @OptionGroup(title: "Whole gates") var amounts: SelfTestAmounts

  @Flag(help: "Record pairs and replay gates from them.")
  var replays = false

  @OptionGroup(title: "Replays") var replayed: ReplayAmounts

  @Option(
    help: ArgumentHelp(
      "The page that is written; whole gates are kept beside it, in a file that ends in .jsonl. (default: "
        + "Reports/gate-selftest.md, of replays Reports/gate-replays.md)"))
  var out: String?

  @Option(help: "The folder in which stores are made and removed.")
  var storage = KeptRuns().folder

  @Option(parsing: .unconditional, help: "The seed of everything that is drawn.")
  var seed: UInt64 = 1

  @OptionGroup(title: "What to show") var speech: SpeechOptions

  @Flag(help: "Measure a debug build all the same; its times say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    try speech.apply()
    try Build.refuseDebug(unless: allowDebug)
    try amounts.check()
    try replayed.check()
    Console.noteUnlessHeard("preparing menus")
    let setup = try SelfTestSetup<App>(
      backend: backend, menu: menu, target: target, storage: storage, seed: seed)
    let kept =
      replays
      ? "nothing of it is kept"
      : "the gates that ended are kept, and the next self-test adds to them"
    try await Interruption().cancelling("the self-test", keeping: kept) {
      if replays { try await replay(setup) } else { try await gate(setup) }
    }
  }

  private func replay(_ setup: SelfTestSetup<App>) async throws {
    guard !setup.replayed.isEmpty else {
      throw CLIError(
        "no target is of the cells that are recorded", help: "give one without a durability",
        status: .usage)
    }
    let findings = try await GateReplays(setup: setup, amounts: replayed).findings()
    let made = ReplayPage(findings: findings, command: typed)
    try write(made.markdown, tally: made.tally, to: out ?? "Reports/gate-replays.md")
  }

  private func gate(_ setup: SelfTestSetup<App>) async throws {
    let page = out ?? "Reports/gate-selftest.md"
    var file = try TrialFile(besides: page)
    guard amounts.gates > 0 || !file.trials.isEmpty else {
      throw CLIError(
        "no gates are kept beside \(page)", help: "hold some: --gates 1 or more", status: .usage)
    }
    if amounts.gates > 0 { Console.note("holding gates of \(setup.words); \(amounts.words)") }
    var failure: (any Error)?
    do {
      try await SelfTest(setup: setup, amounts: amounts).run(into: &file)
    } catch {
      failure = error
    }
    // What was held before it stands.
    if !file.trials.isEmpty {
      let made = SelfTestPage(trials: file.trials, command: typed)
      try write(made.markdown, tally: made.tally, to: page)
    }
    if let failure { throw failure }
  }

  /// Keeps a page. A pipe gets it as well; its lines are too wide for a terminal, which gets the tally.
  private func write(_ words: String, tally: String, to page: String) throws {
    try SafeFile.replace(page, with: Data(words.utf8))
    try Console.output(Console.terminalWidth.map { Console.fitted(tally, columns: $0) } ?? words)
    Console.note("written to \(page)")
  }

  private var typed: String {
    "bench " + CommandLine.arguments.dropFirst().joined(separator: " ")
  }
}
