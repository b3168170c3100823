import BenchAnalysis
import BenchResults

/// A profile for people: the functions that a phase spends its cost in, the most expensive first,
/// and how far to trust the figures.
package struct ProfileDocument: Readable {
  private let profile: Profile
  private let costs: FunctionCosts
  /// The most functions on a terminal.
  private static let mostRows = 25

  package init(_ profile: Profile) {
    self.profile = profile
    costs = FunctionCosts(profile)
  }

  /// Returns the parts. A page has all functions, even those that only call others.
  package func parts(on medium: Medium) -> [Part] {
    guard costs.whole > 0 else {
      return [.headline("\(profile.cell), \(profile.phase): no cost was found"), .list(facts)]
    }
    let rows = costs.rows.filter { medium == .page ? $0.total > 0 : $0.own > 0 }
    let most = medium == .page ? rows.count : Self.mostRows
    return [
      .headline(headline), .table(table(rows.prefix(most))), .paragraph(legend(rows.count - most)),
      .heading("Profile details"), .list(facts),
    ]
  }

  private var headline: String {
    let cell = profile.cell
    return "\(cell.backend) · \(cell.menu) · \(cell.workload) · \(profile.phase): "
      + "\(amount(costs.whole, costs.measure)) \(Self.noun[profile.what] ?? "")"
      + " per run, by function"
  }

  private static let noun: [Profile.What: String] = [
    .cpu: "on the processor", .allocations: "allocated", .instructions: "instructions",
    .io: "in system calls",
  ]

  /// Formats a value of all runs together, divided by the number of runs.
  private func amount(_ value: Double, _ measure: Profile.Measure) -> String {
    measure.text(value / Double(max(profile.facts.runs, 1)))
  }

  private func table(_ shown: ArraySlice<FunctionCosts.Row>) -> Table {
    // Other exact measures get their own columns. For samples the share says it all.
    let others =
      costs.measure.sample == nil
      ? profile.measures.indices.dropFirst().filter {
        !["live count", "read calls", "write calls"].contains(profile.measures[$0].id)
      } : []
    let beside = others.map { index in
      Dictionary(
        FunctionCosts(profile, measure: index).rows.map { ($0.frame, $0.own) },
        uniquingKeysWith: +)
    }
    return Table(
      columns: [
        .number("share"), .number("interval", isOptional: true), .number(costs.measure.id),
      ] + others.map { .number(profile.measures[$0].id, isOptional: true) } + [
        .number("total", isOptional: profile.what == .io),
        .text("function", shrinksTo: 24), .text(profile.what == .io ? "for" : "of", shrinksTo: 8),
      ],
      rows: shown.map { row in
        [
          .percent(row.share),
          Table.Cell(
            row.interval.map { Wording.range($0.map { $0 * 100 }, .percent) }, row.interval?.low),
          Table.Cell(amount(row.own, costs.measure), row.own),
        ]
          + zip(others, beside).map { index, own in
            let value = own[row.frame].flatMap { $0 > 0 ? $0 : nil }
            return Table.Cell(value.map { amount($0, profile.measures[index]) }, value)
          } + [
            .percent(profile.what == .io ? nil : row.total / costs.whole),
            Table.Cell(row.frame.marked), Table.Cell(whose(row.frame)),
          ]
      }, whole: "profile.html")
  }

  /// Returns the library of a function; for a system call, its caller outside the C library.
  private func whose(_ frame: Profile.Frame) -> String {
    guard profile.what == .io else { return frame.module }
    var makers: [String: Double] = [:]
    for stack in profile.stacks {
      guard let last = stack.frames.last, profile.frames[last] == frame else { continue }
      let maker = stack.frames.dropLast().last { profile.frames[$0].owner != .system }
      makers[maker.map { profile.frames[$0].name } ?? profile.phase, default: 0] += stack.total[0]
    }
    return makers.max { $0.value < $1.value }?.key ?? frame.module
  }

  private func legend(_ left: Int) -> String {
    let more = left > 0 ? "; \(Wording.plural(left, "more function")) below these" : ""
    if profile.what == .io {
      return
        "share: of the phase's time in system calls; for: the function whose calls took longest"
        + more
    }
    return
      "share and \(costs.measure.id): of the function alone; total: with all that it calls; *: the "
      + "program's own code"
      + (costs.measure.sample == nil
        ? ""
        : "; interval: of the share at 95 %, from "
          + "the number of samples of all processes together") + more
  }

  private var facts: [String] {
    let facts = profile.facts
    let run = Wording.time(facts.wall / Double(max(facts.runs, 1)))
    var said = [
      "\(Wording.plural(facts.runs, "run")) of the phase in"
        + " \(Wording.plural(facts.blocks, "block")), \(run) each while profiled (do not compare)"
    ]
    if profile.what == .cpu { said += samples }
    if let named = profile.named().all {
      let own =
        profile.named().own.map { "\(Wording.percent($0)) of the program's own code, " } ?? ""
      said.append("functions with a name: \(own)\(Wording.percent(named)) of all")
    }
    if facts.taken > 0 {
      let whole = Double(facts.taken - facts.cut - facts.lost)
      said.append(
        "\(Wording.percent(whole / Double(facts.taken))) of \(Wording.plural(facts.taken, "stack")) "
          + "reach the phase's own frame"
          + (facts.cut > 0 ? "; \(Wording.count(facts.cut)) too deep" : "")
          + (facts.lost > 0 ? "; \(Wording.count(facts.lost)) lost on the way" : ""))
    }
    if facts.dropped > 0 {
      said.append("left out, as the buffer was full: \(Wording.plural(facts.dropped, "stack"))")
    }
    if facts.otherThreads > 0.05 * facts.wall {
      said.append(
        "other threads of the process also took \(Wording.time(facts.otherThreads)), which is not "
          + "in the table")
    }
    return said + facts.notes
  }

  private var samples: [String] {
    guard let period = costs.measure.sample else { return [] }
    let taken =
      "\(Wording.count((costs.whole / period).rounded())) samples, one per "
      + "\(Wording.time(period)) of work"
    guard profile.measures.count > 1 else { return [taken] }
    let waited = profile.stacks.reduce(0.0) { $0 + $1.total[1] }
    let share = Wording.percent(waited / max(costs.whole + waited, 1))
    return ["\(taken), and the thread waited for \(share) of the time (see --what io)"]
  }
}
