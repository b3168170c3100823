import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// What whole gates came to, as Markdown.
struct SelfTestPage {
  /// Those that may be counted together, and how many others were kept.
  private let trials: [GateTrial]
  private let others: Int
  /// Those that they were held on, in the order of their first gate.
  private let machines: [String]
  /// What was typed to make it.
  private let command: String

  /// Takes those that are like the newest.
  init(trials: [GateTrial], command: String) {
    self.trials = trials.last.map { newest in trials.filter(newest.isLike) } ?? []
    others = trials.count - self.trials.count
    machines = self.trials.map(\.machine).distinct
    self.command = command
  }

  /// The whole page.
  var markdown: String {
    [head, alarms, power, layouts, list].compactMap(\.self).joined(separator: "\n\n") + "\n"
  }

  /// How often it erred and what it found, in lines for a terminal.
  var tally: String {
    let alarms = GateTrial.Condition.allCases.compactMap { condition -> String? in
      let red = TrialTally(unchanged(condition)).redGates
      guard red.of > 0 else { return nil }
      return "nothing changed, \(Self.words(condition)): \(red.count) of "
        + "\(Wording.plural(red.of, "gate")) red (95 %: \(red.range()))"
    }
    let slower = totals.map { total in
      let tally = total.tally
      return "\(Wording.percent(total.share)) slower, \(Self.words(total.condition)): "
        + "\(tally.found.count) of \(tally.found.of) found, \(tally.undecided) inconclusive, "
        + "\(tally.missed) unchanged"
    }
    return (alarms + slower).map { $0 + "\n" }.joined()
  }

  /// Those in which nothing was slowed down.
  private func unchanged(_ condition: GateTrial.Condition) -> [GateTrial] {
    trials.filter { $0.condition == condition && $0.planted == nil }
  }

  /// What gates came to in which some phase was slowed down by one share.
  private struct Total {
    var share: Double
    var condition: GateTrial.Condition
    var tally: TrialTally
  }

  private var totals: [Total] {
    let planted = trials.filter { $0.planted != nil }
    return planted.grouped { $0.planted?.share ?? 0 }.flatMap { share, alike in
      GateTrial.Condition.allCases.compactMap { condition -> Total? in
        let trials = alike.filter { $0.condition == condition }
        guard !trials.isEmpty else { return nil }
        return Total(share: share, condition: condition, tally: TrialTally(trials))
      }
    }
  }

  private var head: String {
    let backends = trials.last.map { $0.rows.filter(\.isTime).map(\.backend) } ?? []
    let revisions = trials.compactMap { $0.revision?.prefix(8).description }
    let left =
      others > 0
      ? "\n- Kept beside them and not counted: \(others) of other menus or rules." : ""
    return """
      # What the gate's verdicts are worth

      Whole gates of one source against itself, each of them in this page. Made by `\(command)`; each
      self-test adds to those before. [Replays](gate-replays.md) of recorded pairs, by the rules that they name,
      are another page.

      - Gates: \(trials.count), from \(trials.first?.started ?? "—") to \(trials.last?.started ?? "—"), at \
      \(revisions.distinct.joined(separator: ", ")).
      - \(Self.rules(trials.last?.rules ?? SequentialTest.rules))
      - Measured: \(backends.distinct.joined(separator: ", ")) on \(trials.last?.menu ?? "—"), both tiers.
      \(machineLines)
      - Intervals are at 95 %, exact (Clopper and Pearson), and of gates between builds in \
      \(Wording.plural(orders.count, "order")) of their code: other builds may do otherwise.\(left)
      """
  }

  /// By which rules gates were judged, for every page of them.
  static func rules(_ rules: Int) -> String {
    let now = rules == SequentialTest.rules ? "" : "; they are \(SequentialTest.rules) now"
    return "By the gate's rules number \(rules)\(now)."
  }

  private var machineLines: String {
    guard machines.count > 1 else { return "- Machine: \(machines.first ?? "—")." }
    return machines.enumerated().map { number, machine in
      let count = trials.count { $0.machine == machine }
      return "- Machine \(number + 1), of \(Wording.plural(count, "gate")): \(machine)."
    }.joined(separator: "\n")
  }

  /// What the machine of a gate is called where there are several, to be put after another word.
  private func machineSuffix(_ machine: String) -> String {
    guard machines.count > 1, let number = machines.firstIndex(of: machine) else { return "" }
    return ", machine \(number + 1)"
  }

  private var orders: Set<Int> { Set(trials.flatMap { $0.layouts ?? [] }) }

  private var alarms: String {
    let rows = GateTrial.Condition.allCases.flatMap { condition -> [String] in
      let alike = unchanged(condition)
      let tally = TrialTally(alike)
      guard tally.redGates.of > 0 else { return [] }
      let words = Self.words(condition)
      let single = machines.count > 1 ? alike.grouped(by: \.machine) : []
      return [row("\(words): gates", tally.redGates)]
        + single.map { row("\(words)\(machineSuffix($0)): gates", TrialTally($1).redGates) } + [
          // The rows of one gate share its machine and its builds: an interval would count them as if not.
          // Means of blocks that showed no movement have no verdict.
          "| \(words): verdicts on times | \(tally.redRows.count) | \(tally.redRows.of) "
            + "| \(tally.redRows.share.map { Rate.percent($0) } ?? "—") | |"
        ]
    }
    let all = TrialTally(trials.filter { $0.planted == nil })
    let decided = GateTrial.Condition.allCases.compactMap { condition -> String? in
      let medians = TrialTally(unchanged(condition)).openMedians
      guard let share = medians.share else { return nil }
      return
        "\(Rate.percent(share)) beside \(Self.words(condition)) (\(medians.count) of \(medians.of))"
    }
    return """
      ## Nothing changed: false positives

      | | red | of | rate | interval |
      | --- | ---: | ---: | ---: | ---: |
      \(rows.joined(separator: "\n"))

      A gate is red where its exit status is not 0: a row was called regressed, of counts or of time, or a cell could \
      not be measured. Times called improved: \(all.greenRows.count) of \(all.greenRows.of). Of medians (`wall`) \
      inconclusive were \(decided.joined(separator: ", ")). A gate took \
      \(Statistics.median(all.seconds).map { Wording.time($0 * 1e9) } ?? "—") in the middle.
      """
  }

  private var power: String? {
    let planted = trials.filter { $0.planted != nil }
    guard !planted.isEmpty else { return nil }
    let groups = planted.grouped { Group(planted: $0.planted, condition: $0.condition) }
    let rows = groups.map { group, trials in
      row(group.planted.map(Self.words) ?? "—", group.condition, TrialTally(trials))
    }
    let all = totals.map { row("all by \(Wording.percent($0.share))", $0.condition, $0.tally) }
    return """
      ## One phase slower: how often it is found

      Time is added to the phase in the candidate, a part of its own. A gate that cannot tell says \
      `inconclusive`; one that says `unchanged` overlooks it. Others red: gates with a row called regressed that \
      nothing was added to.\(machines.count > 1 ? " Gates of all machines are counted together." : "")

      | slowed down | beside | found | of | rate | interval | inconclusive | unchanged | others red |
      | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      \((rows + all).joined(separator: "\n"))
      """
  }

  private struct Group: Hashable {
    var planted: GateTrial.Planted?
    var condition: GateTrial.Condition
  }

  private func row(
    _ what: String, _ condition: GateTrial.Condition, _ tally: TrialTally
  ) -> String {
    "| \(what) | \(Self.words(condition)) " + tally.found.cells()
      + " \(tally.undecided) | \(tally.missed) | \(tally.redGates.count) |"
  }

  private var layouts: String? {
    let quiet = trials.filter { $0.condition == .quiet }
    let rows = quiet.grouped(by: \.machine).flatMap { machine, trials in
      LayoutEffect.all(trials).map { effect in
        "| \(effect.backend)\(machineSuffix(machine)) | \(effect.phase) | \(Wording.time(effect.time)) "
          + "| \(effect.gates) "
          + "| \(Wording.percent(effect.median)) | \(Wording.percent(effect.largest)) "
          + "| \(effect.halfWidth.map(Wording.percent) ?? "—") | \(effect.apart) "
          + "| \(Wording.percent(effect.floor)) | \(effect.beyond) |"
      }
    }
    guard !rows.isEmpty else { return nil }
    return """
      ## What the order of the code moves

      The two programs of a gate are of one source, put together in different orders: functions fall on other \
      places of cache lines and pages. How far that moves a time, with what is left of the noise, in the gates \
      beside nobody above with nothing changed; ± is the median of their intervals' half widths. The gate calls no time \
      worse within "no regression up to": 2 % of a millisecond and more, growing with the fourth root of what a \
      time is shorter, to 20 % at most, and 250 ns, to all of it. (`unchanged` is within 2 % all the same, so that \
      short times end inconclusive.) The last column counts the intervals that lie beyond it as a whole: where ± \
      is the wider of the two, that there are none says little.

      | backend | phase | time | gates | median | largest | ± | intervals without 1 | no regression up to | beyond |
      | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
      \(rows.joined(separator: "\n"))
      """
  }

  private var list: String {
    let rows = trials.enumerated().map { number, trial in
      "| \(number + 1) | \(trial.started)\(machineSuffix(trial.machine)) | \(Self.words(trial.condition)) "
        + "| \(trial.layouts?.map(String.init).joined(separator: ", ") ?? "—") "
        + "| \(trial.planted.map(Self.words) ?? "—") | \(Wording.time(trial.seconds * 1e9)) "
        + "| \(trial.rows.count(where: \.isTime)) | \(Self.names(trial, .regressed)) "
        + "| \(Self.names(trial, .improved)) "
        + "| \(trial.rows.count { $0.verdict == "inconclusive" }) | \(trial.outcome) |"
    }
    return """
      ## Every gate

      | | began | beside | orders | slowed down | took | rows of time | regressed | improved | inconclusive | came to |
      | ---: | --- | --- | --- | --- | ---: | ---: | --- | --- | ---: | --- |
      \(rows.joined(separator: "\n"))
      """
  }

  /// One gate in a line, for whoever waits.
  static func line(of trial: GateTrial) -> String {
    let planted = trial.planted.map { " with \(words($0)) slower" } ?? ""
    return "\(words(trial.condition))\(planted): regressed \(names(trial, .regressed)), "
      + "improved \(names(trial, .improved)), \(trial.rows.count { $0.verdict == "inconclusive" }) "
      + "inconclusive, \(Wording.time(trial.seconds * 1e9))"
  }

  private static func names(_ trial: GateTrial, _ verdict: Verdict) -> String {
    let rows = trial.rows.filter { $0.verdict == verdict.id }
    return rows.isEmpty
      ? "none" : rows.map { "\($0.backend)/\($0.phase) \($0.metric)" }.joined(separator: ", ")
  }

  private static func words(_ condition: GateTrial.Condition) -> String {
    switch condition {
    case .quiet: "nobody"
    case .busy: "a busy neighbour"
    }
  }

  private static func words(_ planted: GateTrial.Planted) -> String {
    "\(planted.backend)/\(planted.phase), \(planted.durability), by \(Wording.percent(planted.share))"
  }

  private func row(_ what: String, _ rate: Rate) -> String { "| \(what) " + rate.cells() }
}

extension Rate {
  /// The cells of a table: count, of how many, share, interval.
  ///
  /// - Parameter isIndependent: whether what was counted is; no interval stands where it is not.
  func cells(decimals: Int = 1, isIndependent: Bool = true) -> String {
    let share = self.share.map { Self.percent($0, decimals: decimals) } ?? "—"
    let range = isIndependent ? self.range(decimals: decimals) : "—"
    return "| \(count) | \(of) | \(share) | \(range) |"
  }

  /// Its interval: `0.0 %–21.8 %`; a dash where nothing was counted.
  func range(decimals: Int = 1) -> String {
    guard let interval else { return "—" }
    let ends = [interval.low, interval.high].map { Self.percent($0, decimals: decimals) }
    return ends.joined(separator: "–")
  }

  /// A share of 1 in per cent, as many decimals however large it is.
  static func percent(_ share: Double, decimals: Int = 1) -> String {
    String(format: "%.\(decimals)f", share * 100) + " %"
  }
}
