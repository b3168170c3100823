import Basics
import BenchResults

package struct HistoryContent: Sendable {
  /// What the lines were measured on and by, by the ids that they name.
  package var contexts: [String: HistoryContext]
  package var lines: [HistoryLine]

  package init(contexts: [String: HistoryContext] = [:], lines: [HistoryLine] = []) {
    (self.contexts, self.lines) = (contexts, lines)
  }
}

/// The figures of one key that share a context, those of older runs first; at least one.
package struct HistoryLine: Sendable {
  package let key: HistoryKey
  package let context: String
  package let points: [HistoryPoint]

  package init(key: HistoryKey, context: String, points: [HistoryPoint]) {
    (self.key, self.context, self.points) = (key, context, points)
  }
}

/// How series went over time: what every view of the history shows.
package struct HistoryReport: Sendable {
  /// The series, in the history's order, those of one name one after the other.
  package let trends: [Trend]
  /// Where series begin anew since figures of before compare no more, the newest first.
  package let seams: [Seam]
  /// How many runs of each series are looked at, the newest: of one that has so many there may be older ones.
  package let last: Int

  package struct Seam: Equatable, Sendable {
    package let run: HistoryRun
    /// What is other than before, in words: `swift: 6.4, before 6.3.1`.
    package let differences: [String]
    package let series: Int
  }

  package struct Finding: Sendable {
    package let trend: Trend
    package let kind: Kind

    package enum Kind: Sendable {
      case change(Trend.Change)
      case creep(Trend.Creep)
    }

    /// The first run that has it; of a creep that of its first step.
    package var run: HistoryRun { trend.points[place].run }
    package var runBefore: HistoryRun { trend.points[place - 1].run }

    private var place: Int {
      switch kind {
      case .change(let change): change.place
      case .creep(let creep): creep.places[0]
      }
    }
  }

  /// Analyses the newest figures of each series.
  ///
  /// - Parameters:
  ///   - last: how many of each series.
  ///   - shown: whether a series is among those asked for; others only tell how the machine's moods were.
  package init(_ content: HistoryContent, last: Int, where shown: (HistoryKey) -> Bool) {
    let control = Self.control(content.lines)
    var finder = SeamFinder(contexts: content.contexts)
    var (trends, found) = ([Trend](), [(run: HistoryRun, differences: [String])]())
    for (_, lines) in content.lines.filter({ shown($0.key) }).grouped(by: \.key.ids) {
      let strands = Strand.all(lines, &finder)
      for (place, strand) in strands.enumerated() {
        let (key, points) = (strand.key, Array(strand.points.suffix(last)))
        trends.append(
          Trend(
            key, points, number: place + 1, of: strands.count,
            control: control[Self.place(key)] ?? [:]))
        // Of one of which more is there than was asked for nobody sees where it began.
        guard place > 0, strand.points.count < last else { continue }
        // From the earlier one that it is most like, so that no more is named than changed.
        let differences = strands[..<place].reversed()
          .map { strand.differences(from: $0, &finder) }.min { $0.count < $1.count }
        found.append((run: strand.points[0].run, differences: differences ?? []))
      }
    }
    (self.trends, self.last) = (trends, last)
    let alike = found.grouped { [$0.run.id] + $0.differences }.map(\.elements)
    seams = alike.map { Seam(run: $0[0].run, differences: $0[0].differences, series: $0.count) }
      .sorted { $1.run.isOlder(than: $0.run) }
  }

  /// All there is to tell, the newest first.
  package var findings: [Finding] {
    let all = trends.flatMap { trend -> [Finding] in
      let changes = trend.changes.map { Finding(trend: trend, kind: .change($0)) }
      return changes + (trend.creep.map { [Finding(trend: trend, kind: .creep($0))] } ?? [])
    }
    return all.sorted { $1.run.isOlder(than: $0.run) }
  }

  /// A cell with its menu's content: where a control was measured.
  private static func place(_ key: HistoryKey) -> String { "\(key.cell) \(key.menu)" }

  /// What the control of each place took, by the ids of the runs.
  private static func control(_ lines: [HistoryLine]) -> [String: [String: Double]] {
    lines.filter(\.key.isTimedControl).reduce(into: [:]) { times, line in
      for point in line.points {
        times[place(line.key), default: [:]][point.run.id] = point.figure.p50
      }
    }
  }
}

extension HistoryRun {
  /// Whether it comes before another in the history: it began earlier. Of one second a gate's candidate, whose code is
  /// the newer, comes last; then the ids decide, so that the order is always the same.
  package func isOlder(than other: HistoryRun) -> Bool {
    (began, rank, id) < (other.began, other.rank, other.id)
  }

  private var rank: Int { side == .candidate ? 1 : 0 }
}

/// The figures of one name that compare.
private struct Strand {
  let key: HistoryKey
  /// The contexts of its figures, that which it began in first.
  var contexts: [String]
  var points: [HistoryPoint]

  /// What it differs in from one that began earlier, in words; nothing of what is in other units alone.
  /// Of two contexts of that one the fewest; not of one that it is like: something made it another.
  func differences(from earlier: Strand, _ finder: inout SeamFinder) -> [String] {
    let menu = key.menu == earlier.key.menu ? [] : ["\(key.cell.menu) holds other content"]
    let seams = earlier.contexts.reversed()
      .map { finder.seams(of: contexts[0], after: $0, key.metric) }
      .filter { !$0.isEmpty }.min { $0.count < $1.count }
    return menu + (seams ?? [])
  }

  /// Those of lines of one name, the first to begin first.
  static func all(_ lines: [HistoryLine], _ finder: inout SeamFinder) -> [Strand] {
    var strands: [Strand] = []
    for line in lines.sorted(by: { $0.points[0].run.isOlder(than: $1.points[0].run) }) {
      // Alike to all of it: two contexts that differ may both be like a third, of which less is known.
      let place = strands.firstIndex { strand in
        strand.key == line.key
          && strand.contexts.allSatisfy {
            finder.seams(of: line.context, after: $0, line.key.metric).isEmpty
          }
      }
      if let place {
        strands[place].contexts.append(line.context)
        strands[place].points += line.points
        strands[place].points.sort { $0.run.isOlder(than: $1.run) }
      } else {
        strands.append(Strand(key: line.key, contexts: [line.context], points: line.points))
      }
    }
    return strands
  }
}

/// What differs between contexts, each pair worked out once: many series share few of them.
private struct SeamFinder {
  let contexts: [String: HistoryContext]
  private var known: [Pair: [String]] = [:]

  private struct Pair: Hashable {
    let new: String
    let old: String
    let kind: HistoryContext.Kind
  }

  init(contexts: [String: HistoryContext]) { self.contexts = contexts }

  mutating func seams(of new: String, after old: String, _ metric: Metric) -> [String] {
    guard new != old else { return [] }
    let pair = Pair(new: new, old: old, kind: HistoryContext.Kind(metric))
    if let differences = known[pair] { return differences }
    guard let later = contexts[new], let earlier = contexts[old] else { return ["unknown"] }
    let differences = later.seams(after: earlier, pair.kind)
    known[pair] = differences
    return differences
  }
}
