import Basics
import BenchAnalysis
import BenchResults

package enum HistoryFormat: String, CaseIterable, Sendable {
  case table, markdown, html

  /// Returns the text for a terminal of `width` columns, ending in a line break, optionally with block characters.
  package func render(
    _ report: HistoryReport, width: Int = Terminal.usualWidth, hasBars: Bool = true
  ) -> String {
    switch self {
    case .table: HistoryDocument(report: report, hasBars: hasBars).text(width: width)
    case .markdown: HistoryDocument(report: report).markdown
    case .html: HistoryDocument(report: report).page
    }
  }
}

/// The report on a history, for people: what changed, when and with which revision, and where
/// series begin again. Every series follows.
struct HistoryDocument: Readable {
  let report: HistoryReport
  /// Whether the output has block characters.
  var hasBars = true

  /// The most lines of one kind on a terminal.
  private static let most = 12
  /// The most series that a terminal shows in full. If there are more, it shows only those that changed.
  private static let mostSeries = 24

  package func parts(on medium: Medium) -> [Part] { answer(on: medium) + series(on: medium) }

  func answer(on medium: Medium) -> [Part] {
    let most = medium == .terminal ? Self.most : .max
    let changes = Self.limited(report.findings.map(Self.text), to: most)
    let contextBreaks = Self.limited(report.contextBreaks.map(Self.text), to: most)
    return [.headline(headline)] + (changes.isEmpty ? [] : [.list(changes)])
      + Part.list("Series that start again", contextBreaks)
  }

  private static func limited(_ lines: [String], to most: Int) -> [String] {
    let rest = lines.count - min(lines.count, most)
    return Array(lines.prefix(most))
      + (rest > 0 ? ["and \(Wording.count(rest)) more: --format html has all"] : [])
  }

  private var headline: String {
    let long = report.trends.filter { $0.points.count >= $0.fewestRuns }
    guard !long.isEmpty else {
      let longest = report.trends.map(\.points.count).max() ?? 0
      return "A time needs 6 runs to show a change, an exact figure 2; the longest has \(longest)"
    }
    let looked = Set(long.flatMap(\.points).map(\.run.id)).count
    let (series, runs) = (Wording.count(long.count), Wording.plural(looked, "run"))
    let changed = long.count(where: \.isChanged)
    // A series may also have moved by less than is reported, or less than noise reveals.
    let isCut = long.contains { $0.points.count >= report.last }
    let reach =
      isCut
      ? " (the newest \(Wording.count(report.last)) of each: --last reads more)" : ""
    let answer =
      (changed > 0
        ? "\(Wording.count(changed)) of \(series) series changed in \(runs)"
        : "No change found in \(series) series of \(runs)") + reach
    let short = report.trends.count - long.count
    guard short > 0 else { return answer }
    return "\(answer), and \(Wording.count(short)) more \(short == 1 ? "has" : "have") too few runs"
  }

  /// Returns every series, one table per cell. If there are many, a terminal shows only those that changed.
  func series(on medium: Medium) -> [Part] {
    let areMany = medium == .terminal && report.trends.count > Self.mostSeries
    let shown = areMany ? report.trends.filter(\.isChanged) : report.trends
    let rest = report.trends.count - shown.count
    let tables = shown.grouped(by: \.key.cell).flatMap { cell, trends in
      [Part.heading("\(cell)"), .table(table(trends))]
    }
    let bars =
      hasBars ? "trend: from the oldest run to the newest, the lowest figure to the highest; " : ""
    let legend =
      "\(bars)was: the median of the oldest level; now: the newest run; change: from the oldest "
      + "level to the newest. An exact figure shows a change at once. A time takes 3 runs at the "
      + "new level, or more for a small change."
    let pointer =
      "\(Wording.count(rest)) more series did not change. A terminal shows \(Self.mostSeries) at "
      + "most. Name some, as in 'bench history show json decode', or use --format html for all."
    return tables + (shown.isEmpty ? [] : [.paragraph(legend)])
      + (rest > 0 ? [.paragraph(pointer)] : [])
  }

  private func table(_ trends: [Trend]) -> Table {
    Table(
      columns: [
        .id("phase"), .id("metric"), .number("runs"), .text("trend", isOptional: true),
        .number("was"), .number("now"), .text("change", isOptional: true),
      ],
      rows: trends.map { trend in
        let metric = trend.key.metric
        let values = Wording.values(trend.was, trend.now, metric.unit)
        let ratio = trend.isChanged ? trend.ratio : nil
        var line = Table.Cell(hasBars ? trend.sparkline : "")
        line.isDrawn = hasBars
        return [
          Table.Cell(trend.key.phase, link: Self.title(trend)),
          Table.Cell(metric.id + Self.part(trend)),
          .count(Double(trend.points.count)), line, Table.Cell(values.0, trend.was),
          Table.Cell(values.1, trend.now),
          Table.Cell(ratio.map { Wording.change($0, metric) } ?? "", ratio),
        ]
      }, whole: "bench history export")
  }
}

extension HistoryDocument {
  static func text(_ finding: HistoryReport.Finding) -> String {
    "\(finding.change.isWorse ? "worse" : "better"): \(title(finding.trend)): \(words(finding))"
  }

  /// Describes a finding: how much, from which value to which, since when, and with which revision.
  static func words(_ finding: HistoryReport.Finding) -> String {
    let (change, metric) = (finding.change, finding.trend.key.metric)
    let by = change.ratio.map { Wording.change($0, metric) + ", " } ?? ""
    let (before, after) = Wording.values(change.before, change.after, metric.unit)
    let control = change.controlShift.map {
      ", and the control, which your code cannot affect, became \(Wording.change($0, .wall)) too"
    }
    return "\(by)\(before) → \(after), \(since(finding))\(control ?? "")"
  }

  private static func since(_ finding: HistoryReport.Finding) -> String {
    let (new, old) = (finding.run, finding.runBefore)
    guard finding.change.isSudden else {
      let ends = [old, new].map { run in
        moment(run) + (run.revision.map { " (\($0))" } ?? "")
      }
      return "little by little from \(ends[0]) to \(ends[1])"
    }
    guard let revision = new.revision else { return "since \(moment(new)), of unknown revision" }
    if revision == old.revision {
      return "since \(moment(new)), though the run before had \(revision), too"
    }
    return "since \(moment(new)), first with \(revision)"
      + (old.revision.map { ", after \($0)" } ?? "")
  }

  private static func text(_ seam: HistoryReport.ContextBreak) -> String {
    let what = seam.differences.isEmpty ? "other units" : seam.differences.joined(separator: "; ")
    return "\(moment(seam.run)), \(Wording.count(seam.series)) series: \(what)"
  }

  /// Returns when a run began, to the minute.
  static func moment(_ run: HistoryRun) -> String {
    String(run.began.prefix(16)).replacing("T", with: " ")
  }

  static func title(_ trend: Trend) -> String { "\(trend.key.name)\(part(trend))" }

  /// Returns which of several series with the same name it is, or empty if there is one.
  private static func part(_ trend: Trend) -> String {
    trend.of > 1 ? " (\(trend.number) of \(trend.of))" : ""
  }
}

extension Trend {
  /// A line of block characters, one per run or for a few. Unless the metric is exact, its height
  /// is at least a tenth of the middle, so that noise does not look like mountains.
  fileprivate var sparkline: String {
    let values = points.map(\.figure.p50)
    // If there are more runs, several share a column, which is as high as their median.
    let columns = min(16, values.count)
    let heights = (0..<columns).compactMap { column in
      Statistics.median(
        Array(values[values.count * column / columns..<values.count * (column + 1) / columns]))
    }
    guard let low = heights.min(), let high = heights.max(), high > low else {
      return String(repeating: "▄", count: columns)
    }
    let least = key.metric.isExact ? 0 : 0.1 * (low + high) / 2
    let span = max(high - low, least)
    let start = (low + high - span) / 2
    let blocks = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
    return heights.map { height in
      let step = Int(((height - start) / span * 7).rounded())
      return blocks[min(max(step, 0), 7)]
    }.joined()
  }
}
