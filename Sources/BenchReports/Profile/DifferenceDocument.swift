import BenchAnalysis
import BenchResults

/// What became dearer from one profile to another, for somebody who asks why.
package struct DifferenceDocument {
  private let sides: (old: Profile, new: Profile)
  private let names: (old: String, new: String)
  private let difference: ProfileDifference
  /// How many functions of a kind a terminal shows.
  private static let most = 15

  /// - Parameters:
  ///   - names: what the two are called, as they were asked for.
  ///   - speed: how the two are brought to one speed of the machine.
  package init(
    from old: Profile, to new: Profile, names: (old: String, new: String),
    speed: ProfileDifference.Speed = .common
  ) {
    sides = (old, new)
    self.names = names
    difference = ProfileDifference(from: old, to: new, speed: speed)
  }

  /// For a terminal of so many columns.
  package func text(width: Int) -> String { parts.text(width: width) }

  /// For a page.
  package var markdown: String { parts.markdown }

  private var parts: [Part] {
    let grown = difference.rows.filter { $0.change > 0 }
    let shrunk = difference.rows.filter { $0.change < 0 }.reversed()
    return [.headline(headline)] + table("What grew", grown) + table("What shrank", Array(shrunk))
      + [.paragraph(legend), .heading("How it was taken"), .list(facts)]
  }

  private var headline: String {
    let cell = sides.new.cell
    let change = difference.now - difference.before
    let sign = change < 0 ? "−" : "+"
    return
      "\(cell.menu) · \(cell.workload) · \(sides.new.phase): \(amount(difference.before)) with "
      + "\(names.old), \(amount(difference.now)) with \(names.new), \(sign)\(amount(abs(change))) a run"
  }

  private func table(_ title: String, _ rows: [ProfileDifference.Row]) -> [Part] {
    // What may be chance comes last.
    let sorted = rows.filter(\.isClear) + rows.filter { !$0.isClear }
    guard !sorted.isEmpty else { return [.heading(title), .paragraph("nothing")] }
    return [
      .heading(title),
      .table(
        TextTable(
          columns: [
            .number("change"), .number("interval"), .number("before", isOptional: true),
            .number("now", isOptional: true), .text("function", shrinksTo: 24),
            .text("of", shrinksTo: 8),
          ],
          rows: sorted.prefix(Self.most).map { row in
            [
              row.isClear ? signed(row.change) : "≈ \(signed(row.change))",
              row.interval.map(interval) ?? TextTable.unknown,
              amount(row.before), amount(row.now),
              (row.frame.owner == .program ? "* " : "  ") + row.frame.name, row.frame.module,
            ]
          }, whole: "profile.html")),
    ]
  }

  private func interval(_ interval: Interval) -> String {
    "\(signed(interval.low)) – \(signed(interval.high))"
  }

  private func amount(_ value: Double) -> String {
    difference.measure.unit == .count
      ? Wording.count(value.rounded()) : Wording.value(value, difference.measure.unit)
  }

  private func signed(_ value: Double) -> String {
    (value < 0 ? "−" : "+") + amount(abs(value))
  }

  private var legend: String {
    let left = [difference.rows.count { $0.change > 0 }, difference.rows.count { $0.change < 0 }]
      .reduce(0) { $0 + max($1 - Self.most, 0) }
    let doubt =
      difference.measure.sample != nil
      ? "; interval: of the change at 95 %, from the number of samples and what differs between "
        + "processes; ≈: may be chance, seeing how many functions there are"
      : difference.measure.isMeasured
        ? "; ≈: may be chance, since calls were timed in one process each" : ""
    return
      "\(difference.measure.id) of the function alone, a run of the phase; *: the program's own code"
      + doubt
      + (left > 0 ? "; \(Wording.plural(left, "more function")) in profile.html" : "")
  }

  private var facts: [String] {
    let facts = [(names.old, sides.old), (names.new, sides.new)].map { name, profile in
      "\(name): \(Wording.plural(profile.facts.runs, "run")) of \(profile.phase) of "
        + "\(profile.cell.backend) in \(Wording.plural(profile.facts.blocks, "block"))"
    }
    return facts + [difference.speedWords].compactMap(\.self)
  }
}

extension ProfileDifference {
  /// What was divided out; nil where nothing was.
  var speedWords: String? {
    guard speed != 1 else { return nil }
    return
      "most functions took \(Wording.multiple(speed)) as long now, whatever they do: that is the "
      + "machine's, and divided out"
  }
}
