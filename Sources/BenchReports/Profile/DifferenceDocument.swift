import BenchAnalysis
import BenchResults

/// The functions whose cost changed from one profile to another, for readers who ask why.
package struct DifferenceDocument: Readable {
  private let sides: (old: Profile, new: Profile)
  private let names: (old: String, new: String)
  private let difference: ProfileDifference
  /// The most functions of one kind on a terminal.
  private static let most = 15

  /// - Parameters:
  ///   - names: The names of the two profiles, as the user gave them.
  ///   - speed: How the two profiles are scaled to one speed of the machine.
  package init(
    from old: Profile, to new: Profile, names: (old: String, new: String),
    speed: ProfileDifference.Speed = .common
  ) {
    sides = (old, new)
    self.names = names
    difference = ProfileDifference(from: old, to: new, speed: speed)
  }

  package func parts(on medium: Medium) -> [Part] { parts(isWhole: false) }

  /// - Parameter isWhole: Whether to show all functions that changed.
  func parts(isWhole: Bool) -> [Part] {
    let most = isWhole ? Int.max : Self.most
    let changed = [
      ("Increases", difference.rows.filter { $0.change > 0 }),
      ("Decreases", difference.rows.filter { $0.change < 0 }.reversed()),
    ]
    let left = changed.reduce(0) { $0 + max($1.1.count - most, 0) }
    return [.headline(headline)] + changed.flatMap { table($0, $1, most) }
      + [.paragraph(legend(left)), .heading("Profile details"), .list(facts)]
  }

  private var headline: String {
    let cell = sides.new.cell
    return
      "\(cell.menu) · \(cell.workload) · \(sides.new.phase): \(amount(difference.before)) with "
      + "\(names.old), \(amount(difference.now)) with \(names.new), "
      + "\(difference.signed(difference.now - difference.before)) per run"
  }

  private func amount(_ value: Double) -> String { difference.measure.text(value) }

  private func table(_ title: String, _ rows: [ProfileDifference.Row], _ most: Int) -> [Part] {
    guard !rows.isEmpty else { return [.heading(title), .paragraph("none")] }
    // Changes that may be chance come last.
    let sorted = rows.filter(\.isClear) + rows.filter { !$0.isClear }
    let table = Table(
      columns: [
        .number("change"), .number("interval"), .number("before", isOptional: true),
        .number("now", isOptional: true), .text("function", shrinksTo: 24),
        .text("of", shrinksTo: 8),
      ],
      rows: sorted.prefix(most).map { row in
        let interval = row.interval.map {
          "\(difference.signed($0.low)) – \(difference.signed($0.high))"
        }
        return [
          Table.Cell((row.isClear ? "" : "≈ ") + difference.signed(row.change), row.change),
          Table.Cell(interval, row.interval?.low),
          Table.Cell(amount(row.before), row.before), Table.Cell(amount(row.now), row.now),
          Table.Cell(row.frame.marked), Table.Cell(row.frame.module),
        ]
      }, whole: "profile.html")
    return [.heading(title), .table(table)]
  }

  private func legend(_ left: Int) -> String {
    let doubt =
      difference.measure.sample != nil
      ? "; interval: of the change at 95 %, from the number of samples and differences between "
        + "processes; ≈: may be chance, because there are many functions"
      : difference.measure.isMeasured
        ? "; ≈: may be chance, because calls were timed in one process each" : ""
    return
      "\(difference.measure.id): of the function alone, per run; *: the program's own code"
      + doubt
      + (left > 0 ? "; \(Wording.plural(left, "more function")) in profile.html" : "")
  }

  private var facts: [String] {
    let facts = [(names.old, sides.old), (names.new, sides.new)].map { name, profile in
      "\(name): \(Wording.plural(profile.facts.runs, "run")) of \(profile.phase) of "
        + "\(profile.cell.backend) in \(Wording.plural(profile.facts.blocks, "block"))"
    }
    guard difference.speed != 1 else { return facts }
    return facts + [
      "most functions took \(Wording.multiple(difference.speed)) as long now, whatever they do: "
        + "this comes from the machine, and is divided out"
    ]
  }
}

extension ProfileDifference {
  /// Formats a difference with its sign, such as `+1.20 ms`.
  func signed(_ value: Double) -> String { (value < 0 ? "−" : "+") + measure.text(abs(value)) }
}

extension Profile.Measure {
  func text(_ value: Double) -> String {
    unit == .count ? Wording.count(value.rounded()) : Wording.value(value, unit)
  }
}

extension Profile.Frame {
  /// The name, with a star in front for the program's own code.
  var marked: String { (owner == .program ? "* " : "  ") + name }
}
