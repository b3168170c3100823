import Basics
import BenchAnalysis
import BenchResults

/// A profile as one page in a single file: a flame graph, and a table of the same figures.
///
/// The page loads nothing. It is complete without script, which adds zoom, search and keyboard control. The
/// graph has the form of Brendan Gregg's (Communications of the ACM 59(6), 2016). A function is a box, as wide
/// as its part of the cost, above the functions that it calls. Boxes are in the order of names, not of time.
package struct FlameGraph {
  private let title: String
  /// The main finding, from the data, and how to read the graph.
  private let summary: String
  private let key: String
  private let boxes: [FlameBox]
  /// The boxes of the old profile that the new one lacks, or empty without a comparison.
  private var vanished: [FlameBox] = []
  /// The same figures as a table, and how far to trust them.
  private let figures: [Part]

  package init(_ profile: Profile) {
    let (tree, costs) = (CallTree(profile), FunctionCosts(profile))
    let cell = profile.cell
    title =
      "\(cell.backend) · \(cell.menu) · \(cell.workload) · \(profile.phase) · \(profile.what.rawValue)"
    let finding = costs.rows.first.flatMap { first in
      first.own > 0
        ? "\(first.frame.name) costs most by itself, \(Wording.percent(first.share)) of the whole."
        : nil
    }
    summary =
      "\(finding ?? "No function was seen at work.") A box is as wide as its part of the cost, "
      + "and the functions that it calls are below it. \(FlameBox.omission)."
    let shown = Set(profile.frames.map(\.owner))
    key = Profile.Owner.allCases.filter(shown.contains).map { owner in
      Self.swatch(owner.rawValue, Self.owners[owner, default: ""])
    }.joined()
    let whole = tree.nodes[0].total
    boxes = FlameBox.all(tree) { node, _ in
      let frame = node.frame.map { profile.frames[$0] }
      let name = frame?.name ?? profile.phase
      let text =
        "\(name) (\(frame?.module ?? "phase")): \(Wording.percent(node.total / whole)), "
        + "\(Wording.percent(node.own / whole)) by itself"
      return (frame?.owner.rawValue ?? "phase", name, text)
    }
    figures = ProfileDocument(profile).parts(on: .page)
  }

  /// Compares two profiles: boxes are as wide as now, coloured and signed by their change. A
  /// separate strip below shows what vanished (Gregg calls the form a differential flame graph).
  package init(
    from old: Profile, to new: Profile, names: (old: String, new: String),
    speed: ProfileDifference.Speed = .common
  ) {
    let difference = ProfileDifference(from: old, to: new, speed: speed)
    let trees = (old: CallTree(old), new: CallTree(new))
    let paths = (old: trees.old.paths(in: old), new: trees.new.paths(in: new))
    // Different storages are identified by `names`.
    let cell = new.cell
    let place = old.cell == cell ? "\(cell.backend) · \(cell.menu) · \(cell.workload) · " : ""
    title = "\(place)\(new.phase), \(new.what.rawValue): from \(names.old) to \(names.new)"
    summary =
      "\(difference.finding) A box is as wide as its part of the cost now. "
      + "Its sign and colour show the change. \(FlameBox.omission)."
    key =
      [
        ("more3", "+ 5 % of the whole and more"), ("more2", "+ 1 %"), ("more1", "+ 0.2 %"),
        ("same", "as before"), ("less1", "− 0.2 %"), ("less2", "− 1 %"), ("less3", "− 5 %"),
      ].map(Self.swatch).joined()
    let runs = Double(max(old.facts.runs, 1))
    let before = Dictionary(zip(paths.old, trees.old.nodes.map { $0.total / runs })) { first, _ in
      first
    }
    let speedyRuns = Double(max(new.facts.runs, 1)) * difference.speed
    boxes = FlameBox.all(trees.new) { node, index in
      difference.look(
        node.frame.map { new.frames[$0] }, phase: new.phase,
        before: before[paths.new[index], default: 0], now: node.total / speedyRuns)
    }
    let now = Set(paths.new)
    vanished = FlameBox.all(
      trees.old,
      from: trees.old.nodes.indices.filter { index in
        // Only the outermost boxes that the new profile lacks, because they contain the others.
        guard let parent = trees.old.nodes[index].parent else { return false }
        return !now.contains(paths.old[index]) && now.contains(paths.old[parent])
      }
    ) { node, _ in
      difference.look(
        node.frame.map { old.frames[$0] }, phase: old.phase, before: node.total / runs, now: 0)
    }
    figures = DifferenceDocument(from: old, to: new, names: names, speed: speed).parts(
      isWhole: true)
  }

  package var page: String {
    let label = "Removed calls: the table below has the same figures"
    let strip = HTMLPage.Section(
      id: "strip", title: "Removed calls",
      body: "<p>A box is as wide as its part of the cost before.</p>\n"
        + FlameBox.svg(vanished, id: "gone", label: label))
    return HTMLPage(
      title: title,
      sections: [
        HTMLPage.Section(
          id: "flames", title: nil,
          body: """
            <p>\(summary.markupEscaped)</p>
            <form id="tools" hidden>
            <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
            <button type="button" id="reset">Show all</button>
            <output id="found" role="status"></output>
            </form>
            <ul class="key" aria-label="Meaning of colours">\(key)</ul>
            \(FlameBox.svg(boxes, id: "graph", label: "Flame graph: the table below has the same figures"))
            <p id="detail" role="status">Select a box to zoom in. Keys: arrows to move, Enter to zoom, Escape to show all, \
            / to search.</p>
            """)
      ] + (vanished.isEmpty ? [] : [strip]) + [
        HTMLPage.Section(id: "functions", title: nil, body: figures.html)
      ],
      more: (PackageResources.flame_css, PackageResources.flame_js)
    ).text
  }

  /// The page inside another page, folded under its title. Its names and its keys do not affect the outer page.
  var embedded: String {
    """
    <details class="graph"><summary>\(title.markupEscaped)</summary>
    <iframe title="Flame graph: \(title.markupEscaped)" srcdoc="\(page.replacing(["&": "&amp;", "\"": "&quot;"]))"></iframe>
    <p>\(summary.markupEscaped)</p>
    </details>
    """
  }

  private static let owners: [Profile.Owner: String] = [
    .program: "the program's own", .swift: "Swift", .foundation: "Foundation",
    .library: "other libraries", .system: "C library", .kernel: "kernel",
  ]

  private static func swatch(_ kind: String, _ name: String) -> String {
    "<li><span class=\"swatch \(kind)\"></span>\(name.markupEscaped)</li>"
  }
}

/// A function on one call path, as a box of a flame graph.
private struct FlameBox {
  var depth: Int
  /// The box's place, as parts of the whole.
  var start: Double
  var width: Double
  var look: Look

  /// The style's class, the text in the box, and the box's description.
  typealias Look = (kind: String, name: String, text: String)

  /// Boxes narrower than this part of the whole are left out, because they would be invisible.
  private static let narrowest = 0.0005
  static let omission =
    "Parts narrower than \(narrowest * 100) % of the whole are only in the table"
  private static let rowHeight = 20

  /// Returns the boxes of a tree, or of some subtrees side by side, the outermost first.
  static func all(
    _ tree: CallTree, from roots: [Int] = [0], _ look: (CallTree.Node, Int) -> Look
  ) -> [FlameBox] {
    let whole = tree.nodes[0].total
    guard whole > 0 else { return [] }
    var (boxes, start) = ([FlameBox](), 0.0)
    var rest: [(node: Int, depth: Int, start: Double)] = []
    for root in roots {
      rest.append((root, 0, start))
      start += tree.nodes[root].total / whole
    }
    while let (index, depth, start) = rest.popLast() {
      let node = tree.nodes[index]
      let width = node.total / whole
      guard width >= narrowest else { continue }
      boxes.append(FlameBox(depth: depth, start: start, width: width, look: look(node, index)))
      var next = start
      for child in node.children {
        rest.append((child, depth + 1, next))
        next += tree.nodes[child].total / whole
      }
    }
    return boxes.sorted { ($0.depth, $0.start) < ($1.depth, $1.start) }
  }

  static func svg(_ boxes: [FlameBox], id: String, label: String) -> String {
    let rows = (boxes.map(\.depth).max() ?? 0) + 1
    return """
      <svg id="\(id)" class="graph" role="group" aria-label="\(label)" width="100%" height="\(rows * rowHeight)">
      \(boxes.map(\.svg).joined(separator: "\n"))
      </svg>
      """
  }

  private var svg: String {
    "<svg class=\"box \(look.kind)\" x=\"\(percent(start))\" y=\"\(depth * Self.rowHeight)\" "
      + "width=\"\(percent(width))\" height=\"\(Self.rowHeight - 1)\" data-x=\"\(digits(start))\" "
      + "data-w=\"\(digits(width))\" data-d=\"\(depth)\" tabindex=\"\(depth == 0 ? 0 : -1)\" "
      + "role=\"img\" aria-label=\"\(look.text.markupEscaped)\"><title>\(look.text.markupEscaped)</title>"
      + "<rect width=\"100%\" height=\"100%\" rx=\"2\"/><text x=\"3\" y=\"14\">"
      + "\(look.name.markupEscaped)</text></svg>"
  }

  private func percent(_ share: Double) -> String { digits(share * 100) + "%" }

  private func digits(_ value: Double) -> String {
    String((value * 1e6).rounded() / 1e6)
  }
}

extension ProfileDifference {
  /// Returns how a box shows its change: by a sign, and by a colour for its part of the whole.
  fileprivate func look(
    _ frame: Profile.Frame?, phase: String, before: Double, now: Double
  ) -> FlameBox.Look {
    let change = now - before
    // A change that may be chance is shown as none.
    let isTold = abs(change) > samplingError(before: before, now: now)
    let part = abs(change) / max(self.before, self.now, .leastNonzeroMagnitude)
    // Parts of the whole above which a change has a deeper colour.
    let step = isTold ? [0.002, 0.01, 0.05].count { part >= $0 } : 0
    let kind = step == 0 ? "same" : (change > 0 ? "more" : "less") + "\(step)"
    let name = frame?.name ?? phase
    let sign = step == 0 ? "" : change > 0 ? "+ " : "− "
    let text =
      "\(name) (\(frame?.module ?? "phase")): \(measure.text(now)) per run, "
      + "\(signed(change)) from \(measure.text(before))"
    return (kind, sign + name, text)
  }

  /// The function that changed most, among changes that are more than chance.
  fileprivate var finding: String {
    guard let most = rows.filter(\.isClear).max(by: { abs($0.change) < abs($1.change) }) else {
      return measure.isMeasured
        ? "No function changed by more than chance."
        : "No function costs more or less than before."
    }
    return "\(most.frame.name) changed most, \(signed(most.change)) per run."
  }
}

extension CallTree {
  /// Returns the path to each node: the functions from the phase on, each with its name and library.
  fileprivate func paths(in profile: Profile) -> [String] {
    var paths = [String](repeating: "", count: nodes.count)
    // Every node comes after the one that calls it.
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent, let frame = node.frame else { continue }
      let function = profile.frames[frame]
      // The files of the two programs may have different names.
      let place = function.owner == .program ? "" : function.module
      paths[index] = paths[parent] + "\u{1}" + function.name + "\u{2}" + place
    }
    return paths
  }
}
