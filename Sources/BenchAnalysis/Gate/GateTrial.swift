import Basics
import BenchResults
import Foundation

/// One whole gate of a program against itself, as a self-test keeps it: a line of its file.
package struct GateTrial: Equatable, Codable, Sendable {
  /// What else the machine did meanwhile.
  package enum Condition: String, CaseIterable, Codable, Sendable {
    /// Nothing that the self-test knows of.
    case quiet
    /// A neighbour that the self-test started kept it busy.
    case busy
  }

  /// A cost that was added to one phase of the candidate.
  package struct Planted: Hashable, Codable, Sendable {
    package var backend: String
    package var phase: String
    package var durability: String
    /// The part of the phase's own time.
    package var share: Double

    package init(backend: String, phase: String, durability: String, share: Double) {
      (self.backend, self.phase, self.durability, self.share) = (backend, phase, durability, share)
    }
  }

  /// What came of one row.
  package struct Row: Equatable, Codable, Sendable {
    package var backend: String
    package var phase: String
    package var metric: String
    /// The verdict's word; `none` of a time that was compared and got none.
    package var verdict: String
    /// Now over then; absent where there is none.
    package var ratio: Double?
    /// The ratio's interval.
    package var low: Double?
    package var high: Double?
    /// The baseline's median; absent where unknown.
    package var baseline: Double?
    /// What the ratio had to exceed; absent where nothing.
    package var threshold: Double?
    /// Why it is inconclusive; absent of what is decided.
    package var reason: String?

    init?(_ row: ReportRow) {
      let comparison = row.comparison
      let isOpen =
        row.metric.isTime && row.series.isJudged && !row.isTiny && comparison?.ratio != nil
      guard let verdict = row.verdict?.id ?? (isOpen ? "none" : nil) else { return nil }
      (backend, phase, metric) = (row.cell.backend, row.phase, row.metric.id)
      self.verdict = verdict
      ratio = comparison?.ratio?.finite
      (low, high) = (comparison?.interval?.low, comparison?.interval?.high)
      (baseline, threshold) = (comparison?.baselineP50, comparison?.threshold)
      if case .inconclusive(let doubt) = row.verdict { reason = Wording.doubt(doubt) }
    }

    package var isTime: Bool { Metric.all.first { $0.id == metric }?.isTime ?? false }
  }

  /// By which rules the gate decided: ``SequentialTest/rules``.
  package var rules: Int
  /// When it began, ISO 8601 in UTC.
  package var started: String
  /// From its start to its verdict.
  package var seconds: Double
  /// The processor, the number of cores, the system, its kernel, the toolchain and the allocator, in words.
  package var machine: String
  /// The git revision of both sides; absent where unknown.
  package var revision: String?
  package var menu: String
  /// The storages that were asked for, whether or not each could be measured.
  package var backends: [String]
  package var condition: Condition
  /// In which order the code of the baseline and that of the candidate was put together; absent where both
  /// were one file.
  package var layouts: [Int]?
  /// What was added to the candidate; absent where nothing was.
  package var planted: Planted?
  /// The rows of time, and of what is counted those that did not stay as they were.
  package var rows: [Row]
  /// How many counts stayed as they were.
  package var unchangedCounts: Int
  /// How far the controls moved, of the storages whose control did for certain, as ratios.
  package var drifts: [String: Double]
  /// What the gate came to as a whole, as its exit status tells: `passed`, `regressed`, `unmeasured`.
  package var outcome: String

  /// Takes what a gate came to.
  package init(
    _ report: Report, started: String, seconds: Double, machine: String, revision: String?,
    menu: String, condition: Condition, layouts: [Int]?, planted: Planted?
  ) {
    rules = SequentialTest.rules
    (self.started, self.seconds, self.machine) = (started, seconds, machine)
    (self.revision, self.menu, self.condition) = (revision, menu, condition)
    backends = report.record.outcomes.map(\.cell.backend).distinct.sorted()
    (self.layouts, self.planted) = (layouts, planted)
    let judged = report.rows.compactMap(Row.init)
    rows = judged.filter { $0.isTime || $0.verdict != Verdict.unchanged.id }
    unchangedCounts = judged.count - rows.count
    drifts = Dictionary(
      (report.comparison?.drifts ?? [:]).map { ($0.key.backend, $0.value) }
    ) { abs(log($0)) > abs(log($1)) ? $0 : $1 }
    outcome = report.outcome().id
  }
}

extension GateTrial {
  /// Whether the two are of one menu, of the same storages and kind of programs, judged by one set of rules: what
  /// they came to may be counted together. Each gate compares within its machine, whichever that is.
  package func isLike(_ other: GateTrial) -> Bool {
    rules == other.rules && menu == other.menu && (layouts == nil) == (other.layouts == nil)
      && backends == other.backends
  }

  /// Whether it is red though nothing was planted, or for another row than what was.
  package var isFalselyRed: Bool {
    planted == nil ? outcome != "passed" : !others(Verdict.regressed.id).isEmpty
  }

  /// The rows of one verdict, that of the planted phase aside.
  package func others(_ verdict: String) -> [Row] {
    rows.filter { $0.verdict == verdict && !isPlanted($0) }
  }

  /// The verdict on the wall time of the phase that was slowed down; nil where none was.
  package var verdictOnPlanted: String? {
    planted.map { _ in
      rows.first { isPlanted($0) && $0.metric == Metric.wall.id }?.verdict ?? "not judged"
    }
  }

  /// Whether a row is of the phase that was slowed down.
  private func isPlanted(_ row: Row) -> Bool {
    row.backend == planted?.backend && row.phase == planted?.phase
  }
}

/// What many gates of one kind came to.
package struct TrialTally: Sendable {
  /// Gates that failed though nothing was planted, or by a row that nothing was added to.
  package private(set) var redGates = Rate()
  /// Times called regressed and called improved, of all with a verdict that nothing was added to.
  package private(set) var redRows = Rate()
  package private(set) var greenRows = Rate()
  /// Times themselves, not means of blocks, that were left inconclusive.
  package private(set) var openMedians = Rate()
  /// Gates that called the phase slower that was.
  package private(set) var found = Rate()
  /// Gates that could not tell, and gates that said it had not changed.
  package private(set) var undecided = 0
  package private(set) var missed = 0
  package private(set) var seconds: [Double] = []

  package init(_ trials: [GateTrial]) {
    for trial in trials { add(trial) }
  }

  private mutating func add(_ trial: GateTrial) {
    seconds.append(trial.seconds)
    redGates.add(trial.isFalselyRed)
    func times(_ verdict: String) -> Int { trial.others(verdict).count(where: \.isTime) }
    let verdicts = Set(trial.rows.map(\.verdict)).subtracting(["none"])
    let all = verdicts.reduce(0) { $0 + times($1) }
    redRows.add(times(Verdict.regressed.id), of: all)
    greenRows.add(times(Verdict.improved.id), of: all)
    let medians = verdicts.flatMap(trial.others).filter { $0.metric == Metric.wall.id }
    openMedians.add(medians.count { $0.verdict == "inconclusive" }, of: medians.count)
    guard let verdict = trial.verdictOnPlanted else { return }
    found.add(verdict == Verdict.regressed.id)
    if verdict == "inconclusive" { undecided += 1 }
    if verdict == Verdict.unchanged.id { missed += 1 }
  }
}

/// How far the times of one phase moved between programs of one source that were put together in different
/// orders.
package struct LayoutEffect: Equatable, Sendable {
  package var backend: String
  package var phase: String
  /// How many gates there were.
  package var gates: Int
  /// The median and the largest distance of the ratio from 1, whichever way.
  package var median: Double
  package var largest: Double
  /// The median of the intervals' half widths, as a share; nil where none has an interval.
  package var halfWidth: Double?
  /// How many intervals left out 1, and how many lay wholly beyond what the gate allows their baseline.
  package var apart: Int
  package var beyond: Int
  /// The median of the baselines' times, in nanoseconds, and the part of such a time that a gate allows for the
  /// order of the code.
  package var time: Double
  package var floor: Double

  /// Those of every phase's wall time in gates in which nothing was planted, in the order of the first.
  package static func all(_ trials: [GateTrial]) -> [LayoutEffect] {
    let rows = trials.filter { $0.planted == nil && $0.layouts.map { Set($0).count > 1 } ?? false }
      .flatMap(\.rows).filter { $0.metric == Metric.wall.id && $0.ratio != nil }
    return rows.grouped(by: { [$0.backend, $0.phase] }).compactMap { key, rows in
      let distances = rows.compactMap(\.ratio).map { exp(abs(log($0))) - 1 }
      guard let median = Statistics.median(distances), let largest = distances.max(),
        let time = Statistics.median(rows.compactMap(\.baseline))
      else { return nil }
      func outside(_ allowed: (GateTrial.Row) -> Double) -> Int {
        rows.count { ($0.low ?? 0) > allowed($0) || ($0.high ?? .infinity) < 1 / allowed($0) }
      }
      let widths = rows.compactMap { row in
        row.low.flatMap { low in row.high.map { exp((log($0) - log(low)) / 2) - 1 } }
      }
      return LayoutEffect(
        backend: key[0], phase: key[1], gates: rows.count, median: median, largest: largest,
        halfWidth: Statistics.median(widths), apart: outside { _ in 1 },
        beyond: outside { exp(EffectFloor.layout(of: $0.baseline ?? time)) },
        time: time, floor: exp(EffectFloor.layout(of: time)) - 1)
    }
  }
}
