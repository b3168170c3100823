import Basics
import BenchResults

/// The figures that RunHistory reads from its file for an analysis.
package struct HistoryContent: Sendable {
  /// The contexts in which the lines were measured, by the ids that the lines name.
  package var contexts: [String: HistoryContext]
  package var lines: [HistoryLine]
  /// The place of each known revision in the order of commits. Without it, runs stand in the order of their starts.
  package var ranks: [String: Int] = [:]

  package init(contexts: [String: HistoryContext] = [:], lines: [HistoryLine] = []) {
    (self.contexts, self.lines) = (contexts, lines)
  }
}

/// The figures of one key in one context, the oldest run first. There is at least one.
package struct HistoryLine: Sendable {
  package let key: HistoryKey
  package let context: String
  package let points: [HistoryPoint]

  package init(key: HistoryKey, context: String, points: [HistoryPoint]) {
    (self.key, self.context, self.points) = (key, context, points)
  }
}

/// How series changed over time, as every view of the history shows it.
package struct HistoryReport: Sendable {
  /// The series in the history's order. Series of the same name follow each other.
  package let trends: [Trend]
  /// The runs where series start again because older figures are not comparable, the newest first.
  package let contextBreaks: [ContextBreak]
  /// How many of the newest runs of each series are analysed. A series with that many may have older ones.
  package let last: Int

  package struct ContextBreak: Equatable, Sendable {
    package let run: HistoryRun
    /// The differences from before in words, such as `swift: 6.4, before 6.3.1`.
    package let differences: [String]
    package let series: Int
  }

  /// All changes, the newest first.
  package let findings: [Finding]

  package struct Finding: Sendable {
    package let trend: Trend
    package let change: Trend.Change

    /// The first run with the whole change, and the last run without it.
    package var run: HistoryRun { trend.points[change.places.upperBound].run }
    package var runBefore: HistoryRun {
      trend.points[change.places.lowerBound - (change.isSudden ? 1 : 0)].run
    }
  }

  /// Analyses the newest figures of each series.
  ///
  /// - Parameters:
  ///   - last: the number of figures per series.
  ///   - shown: whether a series is reported. Controls of other series still show how the machine's speed varied.
  package init(_ content: HistoryContent, last: Int, where shown: (HistoryKey) -> Bool) {
    let control = Self.control(content.lines)
    var finder = SeamFinder(contexts: content.contexts)
    var (trends, found) = ([Trend](), [(run: HistoryRun, differences: [String])]())
    for (_, lines) in content.lines.filter({ shown($0.key) }).grouped(by: \.key.ids) {
      let strands = ComparableSeries.all(lines, &finder)
      for (place, strand) in strands.enumerated() {
        let (key, points) = (strand.key, strand.points.ordered(by: content.ranks) { $0.run })
        trends.append(
          Trend(
            key, Array(points.suffix(last)), number: place + 1, of: strands.count,
            control: control[Self.place(key)] ?? [:]))
        // A series with as many figures as requested may have begun earlier.
        guard place > 0, strand.points.count < last else { continue }
        // Compare with the most similar earlier series, to name only what changed.
        let differences = strands[..<place].reversed()
          .map { strand.differences(from: $0, &finder) }.min { $0.count < $1.count }
        found.append((run: strand.points[0].run, differences: differences ?? []))
      }
    }
    (self.trends, self.last) = (trends, last)
    let all = trends.flatMap { trend in
      trend.changes.map { Finding(trend: trend, change: $0) }
    }
    // Changes of one run stay in the order of their series.
    findings = all.reversed().ordered(by: content.ranks) { $0.run }.reversed()
    let alike = found.grouped { [$0.run.id] + $0.differences }.map(\.elements)
    contextBreaks = alike.map {
      ContextBreak(run: $0[0].run, differences: $0[0].differences, series: $0.count)
    }
    .sorted { $1.run.isOlder(than: $0.run) }
  }

  /// A cell with its menu's content, which a series shares with its control.
  private static func place(_ key: HistoryKey) -> String { "\(key.cell) \(key.menu)" }

  /// Returns the times of the control in each place, by run id.
  private static func control(_ lines: [HistoryLine]) -> [String: [String: Double]] {
    lines.filter(\.key.isTimedControl).reduce(into: [:]) { times, line in
      for point in line.points {
        times[place(line.key), default: [:]][point.run.id] = point.figure.p50
      }
    }
  }
}

extension HistoryRun {
  /// Whether the run began before another. Within one second a gate's candidate comes last, since
  /// its code is newer. Ids break other ties, so that the order is always the same.
  package func isOlder(than other: HistoryRun) -> Bool {
    (began, rank, id) < (other.began, other.rank, other.id)
  }

  private var rank: Int { side == .candidate ? 1 : 0 }
}

extension Array {
  /// Sorts by when runs began. Runs whose revisions have ranks take the places that they have together in the order of
  /// those, so that an old revision that was measured late comes early.
  fileprivate func ordered(
    by ranks: [String: Int], _ run: (Element) -> HistoryRun
  ) -> [Element] {
    let byTime = sorted { run($0).isOlder(than: run($1)) }
    let ranked = byTime.indices.compactMap { place in
      run(byTime[place]).revision.flatMap { ranks[$0] }.map { (rank: $0, place: place) }
    }
    var ordered = byTime
    for (new, old) in zip(ranked, ranked.sorted { $0 < $1 }) {
      ordered[new.place] = byTime[old.place]
    }
    return ordered
  }
}

/// The comparable figures of one series name.
private struct ComparableSeries {
  let key: HistoryKey
  /// The contexts of the figures, the first one first.
  var contexts: [String]
  var points: [HistoryPoint]

  /// Returns the differences from the most similar context of an earlier strand, in words. Contexts without
  /// differences are ignored, because something separated the strands. A new unit alone is not named.
  func differences(from earlier: ComparableSeries, _ finder: inout SeamFinder) -> [String] {
    let menu = key.menu == earlier.key.menu ? [] : ["\(key.cell.menu) has other content"]
    let contextBreaks = earlier.contexts.reversed()
      .map { finder.contextBreaks(of: contexts[0], after: $0, key.metric) }
      .filter { !$0.isEmpty }.min { $0.count < $1.count }
    return menu + (contextBreaks ?? [])
  }

  /// Returns the strands of the lines of one name, the one that began first at the front.
  static func all(_ lines: [HistoryLine], _ finder: inout SeamFinder) -> [ComparableSeries] {
    var strands: [ComparableSeries] = []
    for line in lines.sorted(by: { $0.points[0].run.isOlder(than: $1.points[0].run) }) {
      // A line must match every context: two that differ may both match a third that records less.
      let place = strands.firstIndex { strand in
        strand.key == line.key
          && strand.contexts.allSatisfy {
            finder.contextBreaks(of: line.context, after: $0, line.key.metric).isEmpty
          }
      }
      if let place {
        strands[place].contexts.append(line.context)
        strands[place].points += line.points
        strands[place].points.sort { $0.run.isOlder(than: $1.run) }
      } else {
        strands.append(
          ComparableSeries(key: line.key, contexts: [line.context], points: line.points))
      }
    }
    return strands
  }
}

/// Finds the differences between contexts. It keeps each pair, because many series share few contexts.
private struct SeamFinder {
  let contexts: [String: HistoryContext]
  private var known: [Pair: [String]] = [:]

  private struct Pair: Hashable {
    let new: String
    let old: String
    let kind: HistoryContext.Kind
  }

  init(contexts: [String: HistoryContext]) { self.contexts = contexts }

  mutating func contextBreaks(of new: String, after old: String, _ metric: Metric) -> [String] {
    guard new != old else { return [] }
    let pair = Pair(new: new, old: old, kind: HistoryContext.Kind(metric))
    if let differences = known[pair] { return differences }
    guard let later = contexts[new], let earlier = contexts[old] else { return ["unknown"] }
    let differences = later.contextBreaks(after: earlier, pair.kind)
    known[pair] = differences
    return differences
  }
}
