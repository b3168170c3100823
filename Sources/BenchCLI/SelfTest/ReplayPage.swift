import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation

/// What replayed gates came to, as Markdown.
struct ReplayPage {
  let findings: ReplayFindings
  /// What was typed to make it.
  let command: String

  /// The whole page.
  var markdown: String {
    [head, alarms, power, exact, estimators, schedules].joined(separator: "\n\n") + "\n"
  }

  /// How often it erred and what it found, in lines for a terminal.
  var tally: String {
    let red = findings.falseAlarms?.tally.redSuites ?? Rate()
    let slower = findings.slowdowns.map { slowdown in
      let found = slowdown.replayed.tally.detections
      return "\(Wording.percent(slowdown.injected)) slower, \(slowdown.target): \(found.count) of "
        + "\(found.of) found\n"
    }
    return "nothing changed: \(red.count) of \(Wording.plural(red.of, "gate")) red "
      + "(95 %: \(red.range(decimals: 2)))\n"
      + "nothing changed, counts: \(exactAlarms.count) of \(exactAlarms.of) comparisons red\n"
      + slower.joined()
  }

  private var head: String {
    return """
      # Replays of the gate

      Pairs of blocks, recorded once, from which gates are drawn anew: they show the level of the test and the
      worth of its estimator, and nothing of another day or another machine. That is shown by
      [real gates](gate-selftest.md).

      Made by `\(command)` on \(Date().formatted(.iso8601)).

      - \(SelfTestPage.rules(SequentialTest.rules))
      - Measured: \(findings.setup).
      - Machine: \(findings.machine.words).
      - Intervals are at 95 %, exact (Clopper and Pearson), of the draws from these pairs; none stands where every two of a few blocks were compared.
      """
  }

  private var alarms: String {
    guard let replayed = findings.falseAlarms else { return "" }
    let tally = replayed.tally
    return """
      ## Nothing changed: false positives

      Pairs of blocks of one program, drawn anew for each replayed gate, the sides swapped by a coin: that holds the \
      test to its own assumption, that neither side is favoured, and cannot show whether a machine keeps to it.

      | | red | of | rate | interval |
      | --- | ---: | ---: | ---: | ---: |
      \(row("single verdicts, times", tally.redRows, isIndependent: false))
      \(row("whole suites, times", tally.redSuites))
      \(row("whole suites, exact tier: every two recorded blocks", exactAlarms, isIndependent: false))

      Called improved: \(tally.greenRows.count) of \(tally.greenRows.of) verdicts; left inconclusive: \
      \(tally.inconclusiveRows.count). A cell took \
      \(tally.meanPairs.map { Wording.count($0) } ?? "—") pairs on average. Computing a suite's verdict \
      took \(Wording.time(replayed.secondsPerVerdict * 1e9)).
      """
  }

  private var exactAlarms: Rate {
    findings.exact?.falseAlarms ?? Rate()
  }

  private var power: String {
    let rows = findings.slowdowns.map { slowdown in
      let tally = slowdown.replayed.tally
      let spread = slowdown.error.map { Wording.percent($0) } ?? "—"
      return "| \(slowdown.target) | \(spread) "
        + row("\(Wording.percent(slowdown.injected)) slower", tally.detections)
        + " \(tally.redRows.count) | \(tally.meanPairs.map { Wording.count($0) } ?? "—") |"
    }
    return """
      ## One phase slower: how often it is found

      All other rows unchanged; the error is the standard error of the change over all pairs recorded with the slowdown.

      | injected into | error | injected | found | of | rate | interval | other rows red | pairs a cell |
      | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |
      \(rows.joined(separator: "\n"))
      """
  }

  private var exact: String {
    guard let exact = findings.exact else { return "" }
    // Every two of a few blocks: what one block has counts many times.
    var rows = [
      row("one allocation, named with the figure 1", exact.oneAllocation, isIndependent: false)
    ]
    if let instructions = exact.instructions {
      let count = Wording.count(exact.injectedInstructions ?? 0)
      rows.append(
        row("half a per cent of instructions (\(count))", instructions, isIndependent: false))
    }
    let reason = exact.withoutInstructions.map { "\n\nInstructions were not tried: \($0)." } ?? ""
    return """
      ## A little more work: how often the exact tier finds it

      | injected | found | of | rate | interval |
      | --- | ---: | ---: | ---: | ---: |
      \(rows.joined(separator: "\n"))

      A block of counters of every cell and side took \(Wording.time(exact.secondsPerVerdict * 1e9)).\
      \(reason)
      """
  }

  private var estimators: String {
    let columns = Estimator.allCases
    let rows = findings.estimators.map { trial in
      let errors = columns.map { trial.errors[$0].map { Wording.percent($0) } ?? "—" }
      let pairs = trial.pairsNeeded(beside: .medians).map { String(format: "%.2f", $0) } ?? "—"
      return "| \(trial.key.cell.backend) | \(trial.key.phase) | "
        + (errors + [pairs]).joined(separator: " | ") + " |"
    }
    let saved = findings.estimators.compactMap { $0.pairsNeeded(beside: .medians) }
    let middle = Statistics.median(saved).map { String(format: "%.2f", $0) } ?? "—"
    let halved = findings.estimators.compactMap { trial in
      trial.pairsNeeded(beside: .halfTurns).map { 1 / $0 }
    }
    let more = Statistics.median(halved).map { String(format: "%.2f", $0) } ?? "—"
    return """
      ## How well a change is known

      The standard error of the change, by resampling the recorded pairs, by the estimators that a gate \
      could go by. It goes by the third. The last column is how many pairs that one needs for what the \
      first knows from one; in the median of the rows \(middle), and fewer than one in \
      \(saved.count { $0 < 1 }) of \(saved.count). Blocks half as long, whose processes take as long to start, to \
      store the menu and to check it, would need \(more) times the pairs in the median of the rows.

      | backend | phase | \(columns.map(\.rawValue).joined(separator: " | ")) | pairs |
      | --- | --- | \(columns.map { _ in "---:" }.joined(separator: " | ")) | ---: |
      \(rows.joined(separator: "\n"))
      """
  }

  private var schedules: String {
    let rows = findings.schedules.map { trial in
      let all = trial.unchanged.redRows.of / max(1, trial.unchanged.redSuites.of)
      let looks = trial.looks.map { "\($0)" }.joined(separator: ", ")
      return "| \(looks) | \(one(trial.decided)) of \(all) | \(one(trial.seconds.map { $0 / 60 }))"
        + " | \(one(trial.decidedPerMinute)) \(trial.found.cells(decimals: 2)) "
        + "\(trial.unchanged.redSuites.count) of \(trial.unchanged.redSuites.of) |"
    }
    return """
      ## When to look

      Gates of the same pairs that look at other numbers of them, the gate's own first: how many verdicts of a gate \
      with nothing changed are not `inconclusive`, on average, and how many minutes its pairs take, each as long as it \
      took when it was recorded, counts left out. Found is \(Wording.percent(findings.scheduled)) in each of the \
      phases above in turn. Turns of other lengths, blocks of more samples and other menus take recordings of their \
      own, and are not set beside these.

      | looks after pairs | decided | minutes | decided a minute | found | of | rate | interval | red with nothing changed |
      | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      \(rows.joined(separator: "\n"))
      """
  }

  private func one(_ number: Double?) -> String {
    number.map { String(format: "%.1f", $0) } ?? "—"
  }

  /// Rates of a thousandth matter here, which one decimal would hide.
  private func row(_ what: String, _ rate: Rate, isIndependent: Bool = true) -> String {
    "| \(what) " + rate.cells(decimals: 2, isIndependent: isIndependent)
  }
}

/// What replays found.
struct ReplayFindings: Sendable {
  /// Where it was measured.
  var machine: Machine
  /// What was measured, in words.
  var setup: String
  /// How well the change of each row is known from pairs of blocks of one program.
  var estimators: [EstimatorTrial] = []
  /// Plans of looks, and by which part of a phase's time they were tried.
  var schedules: [ScheduleTrial] = []
  var scheduled = 0.0
  /// Gates replayed with nothing changed.
  var falseAlarms: Replayed?
  /// Gates replayed with one phase slowed down.
  var slowdowns: [Slowdown] = []
  /// What counts came to.
  var exact: ExactFindings?

  /// Gates replayed from recorded pairs.
  struct Replayed: Sendable {
    var tally: ReplayTally
    /// What one suite's verdict took, measuring aside.
    var secondsPerVerdict: Double
  }

  /// Gates replayed with one phase slowed down.
  struct Slowdown: Sendable {
    /// The cell and the phase, in words.
    var target: String
    /// The part of the phase's own time that was added.
    var injected: Double
    /// The standard error of the change in the pairs that it was found in; nil if unknown.
    var error: Double?
    var replayed: Replayed
  }
}
