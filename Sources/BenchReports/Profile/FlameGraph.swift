import BenchAnalysis
import BenchResults
import Foundation

/// A profile as one page that a browser opens from a file: a flame graph, and a table of the same.
///
/// Nothing is fetched. Without script it is whole and can be read; script adds zoom, search and the
/// keyboard. The graph's form is Brendan Gregg's (Communications of the ACM 59(6), 2016): a box a function,
/// as wide as its part of the cost, on whom it calls; from left to right by name, not by time.
package struct FlameGraph {
  private let title: String
  /// What to see, from the data.
  private let finding: String
  private let summary: String
  private let key: String
  private let boxes: [FlameBox]
  /// What was there before and is not now; empty of a profile that is set against nothing.
  private var vanished: [FlameBox] = []
  private let table: String

  /// Of one profile.
  package init(_ profile: Profile) {
    let (tree, costs) = (CallTree(profile), FunctionCosts(profile))
    let cell = profile.cell
    title =
      "\(cell.backend) · \(cell.menu) · \(cell.workload) · \(profile.phase) · \(profile.what.rawValue)"
    finding = Self.finding(costs)
    summary = Self.summary(profile, costs)
    let shown = Set(profile.frames.map(\.owner))
    key = Profile.Owner.allCases.filter(shown.contains).map { owner in
      FlameGraphParts.swatch(owner.rawValue, FlameGraphParts.names[owner, default: ""])
    }.joined()
    let whole = tree.nodes[0].total
    boxes = FlameBox.all(tree) { node in
      let frame = node.frame.map { profile.frames[$0] }
      let name = frame?.name ?? profile.phase
      let text =
        "\(name) (\(frame?.module ?? "phase")): \(Wording.percent(node.total / whole)), "
        + "\(Wording.percent(node.own / whole)) by itself"
      return FlameBox.Look(kind: frame?.owner.rawValue ?? "phase", name: name, text: text)
    }
    table = FlameGraphParts.table(
      ["share", "interval", "total", "function", "of"],
      costs.rows.filter { $0.total > 0 }.map { row in
        let interval = row.interval.map {
          "\(Wording.percent($0.low)) – \(Wording.percent($0.high))"
        }
        return [
          Wording.percent(row.share),
          interval ?? (costs.measure.isMeasured ? TextTable.unknown : "exact"),
          Wording.percent(row.total / costs.whole), row.frame.name, row.frame.module,
        ]
      })
  }

  /// Of two: as wide as it is now, coloured and signed by how it changed. What vanished is a strip of its
  /// own below (Gregg calls the form a differential flame graph).
  ///
  /// - Parameters:
  ///   - names: what the two are called.
  ///   - note: what else to know of them.
  package init(
    from old: Profile, to new: Profile, names: (old: String, new: String),
    speed: ProfileDifference.Speed = .common, note: String? = nil
  ) {
    let difference = ProfileDifference(from: old, to: new, speed: speed)
    let trees = (old: CallTree(old), new: CallTree(new))
    let runs = (
      old: Double(max(old.facts.runs, 1)),
      new: Double(max(new.facts.runs, 1)) * difference.speed
    )
    let before = trees.old.byPath(in: old)
    let now = trees.new.byPath(in: new)
    // Two storages are said by their names.
    let cell = new.cell
    let place = old.cell == cell ? "\(cell.backend) · \(cell.menu) · \(cell.workload) · " : ""
    title = "\(place)\(new.phase), \(new.what.rawValue): from \(names.old) to \(names.new)"
    let change = FlameChange(difference)
    finding = change.finding
    summary =
      "\(change.amount(difference.before)) a run with \(names.old), \(change.amount(difference.now)) with "
      + "\(names.new). A box is as wide as its part of the cost now; its sign and colour say how it changed; "
      + "\(FlameBox.omission)."
      + (difference.speedWords.map { " Here \($0)." } ?? "")
      + (difference.measure.isMeasured ? " In the table, ≈ is before what may be chance." : "")
      + (note.map { " \($0)" } ?? "")
    key = FlameChange.key
    let beforeTotals = before.mapValues { trees.old.nodes[$0].total / runs.old }
    let paths = trees.new.paths(in: new)
    boxes = FlameBox.all(trees.new) { node, index in
      let frame = node.frame.map { new.frames[$0] }
      return change.look(
        frame, phase: new.phase, before: beforeTotals[paths[index], default: 0],
        now: node.total / runs.new)
    }
    let oldPaths = trees.old.paths(in: old)
    vanished = FlameBox.all(
      trees.old,
      from: trees.old.nodes.indices.filter { index in
        // The outermost that are gone: those below go with them.
        guard let parent = trees.old.nodes[index].parent else { return false }
        return now[oldPaths[index]] == nil && now[oldPaths[parent]] != nil
      }
    ) { node, index in
      let frame = node.frame.map { old.frames[$0] }
      return change.look(frame, phase: old.phase, before: node.total / runs.old, now: 0)
    }
    table = FlameGraphParts.table(
      ["change", "before", "now", "function", "of"],
      difference.rows.filter { $0.change != 0 }.map { row in
        [
          (row.isClear ? "" : "≈ ") + change.signed(row.change), change.amount(row.before),
          change.amount(row.now), row.frame.name, row.frame.module,
        ]
      })
  }

  /// The page.
  package var page: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title.markupEscaped)</title>
    <style>\(FlameGraphParts.style)</style>
    </head>
    <body>
    <main>
    <h1>\(title.markupEscaped)</h1>
    <p>\(finding.markupEscaped) \(summary.markupEscaped)</p>
    <form id="tools" hidden>
    <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
    <button type="button" id="reset">Show all</button>
    <output id="found" role="status"></output>
    </form>
    <ul class="key" aria-label="What a colour stands for">\(key)</ul>
    \(FlameBox.svg(boxes, id: "graph", label: "Flame graph; the table below has the same figures"))
    <p id="detail" role="status">\(Self.hint.markupEscaped)</p>
    \(strip)<h2>By function</h2>
    \(table)
    </main>
    <script>\(FlameGraphParts.script)</script>
    </body>
    </html>

    """
  }

  /// The page within another, with a title that unfolds it. It keeps its names and its keys to itself.
  var embedded: String {
    """
    <details class="graph"><summary>\(title.markupEscaped)</summary>
    <iframe title="Flame graph: \(title.markupEscaped)" srcdoc="\(page.quotedAttribute)"></iframe>
    <p>\(finding.markupEscaped) \(summary.markupEscaped)</p>
    </details>
    """
  }

  private var strip: String {
    guard !vanished.isEmpty else { return "" }
    return """
      <h2>What is gone</h2>
      <p>As wide as its part of the cost before.</p>
      \(FlameBox.svg(vanished, id: "gone", label: "What is gone; the table below has the same figures"))

      """
  }

  /// Which function costs most by itself.
  private static func finding(_ costs: FunctionCosts) -> String {
    guard let first = costs.rows.first, first.own > 0 else {
      return "No function was seen at work."
    }
    let interval = first.interval.map {
      " (\(Wording.percent($0.low)) – \(Wording.percent($0.high)))"
    }
    return
      "\(first.frame.name) costs most by itself, \(Wording.percent(first.share))\(interval ?? "") of the whole."
  }

  private static func summary(_ profile: Profile, _ costs: FunctionCosts) -> String {
    let facts = profile.facts
    let sampled = costs.measure.sample.map {
      "\(Wording.count((costs.whole / $0).rounded())) samples"
    }
    return [
      "\(Wording.plural(facts.runs, "run")) of the phase in \(Wording.plural(facts.blocks, "block"))",
      sampled,
      "a box is as wide as its part of the cost, and stands on whom it calls below it",
      FlameBox.omission,
    ].compactMap(\.self).joined(separator: "; ") + "."
  }

  private static let hint =
    "Select a box to zoom in. Keys: arrows to move, Enter to zoom, Escape to show all, / to search."
}

/// A function called in one way, as a box of a flame graph.
private struct FlameBox {
  var depth: Int
  /// Parts of the whole.
  var start: Double
  var width: Double
  var look: Look

  /// What it shows.
  struct Look {
    /// The style's class.
    var kind: String
    /// What stands in it.
    var name: String
    /// What is told of it.
    var text: String
  }

  /// Narrower boxes than this part of the whole are left out: nobody could see them.
  private static let narrowest = 0.0005
  static let omission =
    "what is narrower than \(narrowest * 100) % of the whole is in the table alone"
  private static let rowHeight = 20

  /// The boxes of a tree, or of the subtrees of some of its nodes side by side, those further out first.
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

  static func all(_ tree: CallTree, _ look: (CallTree.Node) -> Look) -> [FlameBox] {
    all(tree) { node, _ in look(node) }
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

/// How a box of a differential flame graph shows its change: by a sign, and by a colour for how much of
/// the whole it is.
private struct FlameChange {
  private let difference: ProfileDifference

  init(_ difference: ProfileDifference) { self.difference = difference }

  /// Parts of the whole from which a change has a deeper colour.
  private static let steps = [0.002, 0.01, 0.05]

  func look(_ frame: Profile.Frame?, phase: String, before: Double, now: Double) -> FlameBox.Look {
    let change = now - before
    // What may be chance is as before.
    let isTold = abs(change) > difference.samplingError(before: before, now: now)
    let part = abs(change) / max(difference.before, difference.now, .leastNonzeroMagnitude)
    let step = isTold ? Self.steps.count { part >= $0 } : 0
    let kind = step == 0 ? "same" : (change > 0 ? "more" : "less") + "\(step)"
    let name = frame?.name ?? phase
    let sign = step == 0 ? "" : change > 0 ? "+ " : "− "
    return FlameBox.Look(
      kind: kind, name: sign + name,
      text: "\(name) (\(frame?.module ?? "phase")): \(amount(now)) a run, \(signed(change)) "
        + "from \(amount(before))")
  }

  /// Which function changed most, as far as that is told from chance.
  var finding: String {
    guard let most = difference.rows.filter(\.isClear).max(by: { abs($0.change) < abs($1.change) })
    else {
      return difference.measure.isMeasured
        ? "Of no function a change is told from chance."
        : "No function costs more or less than before."
    }
    return "\(most.frame.name) changed most, \(signed(most.change)) a run."
  }

  func amount(_ value: Double) -> String {
    difference.measure.unit == .count
      ? Wording.count(value.rounded()) : Wording.value(value, difference.measure.unit)
  }

  func signed(_ value: Double) -> String { (value < 0 ? "−" : "+") + amount(abs(value)) }

  static let key =
    [
      ("more3", "+ 5 % of the whole and more"), ("more2", "+ 1 %"), ("more1", "+ 0.2 %"),
      ("same", "as before"), ("less1", "− 0.2 %"), ("less2", "− 1 %"), ("less3", "− 5 %"),
    ].map { FlameGraphParts.swatch($0, $1) }.joined()
}

extension CallTree {
  /// How each node is reached: the functions from the phase on, each by its name and its library.
  fileprivate func paths(in profile: Profile) -> [String] {
    var paths = [String](repeating: "", count: nodes.count)
    // Each node is behind the one that calls it.
    for (index, node) in nodes.enumerated() {
      guard let parent = node.parent, let frame = node.frame else { continue }
      let function = profile.frames[frame]
      // Two programs may have two names for what is the same place in them.
      let place = function.owner == .program ? "" : function.module
      paths[index] = paths[parent] + "\u{1}" + function.name + "\u{2}" + place
    }
    return paths
  }

  /// The nodes by how they are reached.
  fileprivate func byPath(in profile: Profile) -> [String: Int] {
    Dictionary(zip(paths(in: profile), nodes.indices)) { first, _ in first }
  }
}

/// The parts of the page that are the same whatever the profile.
private enum FlameGraphParts {
  static let names: [Profile.Owner: String] = [
    .program: "the program's own", .swift: "Swift", .foundation: "Foundation",
    .library: "other libraries", .system: "C library", .kernel: "kernel",
  ]

  static func swatch(_ kind: String, _ name: String) -> String {
    "<li><span class=\"swatch \(kind)\"></span>\(name.markupEscaped)</li>"
  }

  /// A table of which the last two columns are names.
  static func table(_ titles: [String], _ rows: [[String]]) -> String {
    let rows = rows.map { row in
      "<tr>" + row.dropLast(2).map { "<td class=\"number\">\($0.markupEscaped)</td>" }.joined()
        + row.suffix(2).map { "<td>\($0.markupEscaped)</td>" }.joined() + "</tr>"
    }
    let head = titles.map { "<th scope=\"col\">\($0)</th>" }.joined()
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Costs by function"><table>
      <thead><tr>\(head)</tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  // Okabe and Ito's colours (jfly.uni-koeln.de/color), told apart by colour-blind readers; black on each of them
  // has a contrast of 5 and more. Changes are in ColorBrewer's red and blue (colorbrewer2.org, RdBu), which are
  // told apart likewise.
  static let style = """
    :root { color-scheme: light dark; --ground: #fff; --ink: #1a1a1a; --line: #767676; }
    @media (prefers-color-scheme: dark) { :root { --ground: #161616; --ink: #eee; --line: #999; } }
    body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
    main { max-width: 1600px; margin: 0 auto; padding: 1rem; }
    h1 { font-size: 1.25rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; }
    #tools { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: .5rem 0; }
    #tools[hidden] { display: none; }
    input, button { font: inherit; padding: .2rem .5rem; }
    .key { display: flex; flex-wrap: wrap; gap: .25rem 1rem; padding: 0; margin: .5rem 0; list-style: none; }
    .swatch { display: inline-block; width: 1em; height: 1em; margin-right: .4em; vertical-align: -.15em; border: 1px solid var(--line); }
    .program { --fill: #e69f00; } .swift { --fill: #f0e442; } .foundation { --fill: #56b4e9; }
    .library { --fill: #00b386; } .system { --fill: #cc79a7; } .kernel { --fill: #e8704a; } .phase { --fill: #bbb; }
    .more1 { --fill: #fddbc7; } .more2 { --fill: #f4a582; } .more3 { --fill: #e8704a; } .same { --fill: #ccc; }
    .less1 { --fill: #d1e5f0; } .less2 { --fill: #92c5de; } .less3 { --fill: #56a0d3; }
    .swatch { background: var(--fill); }
    .graph { display: block; overflow: hidden; font: 12px/1 ui-monospace, monospace; }
    .box { overflow: hidden; cursor: pointer; }
    .box rect { fill: var(--fill); } .box text { fill: #000; white-space: pre; }
    .box:focus { outline: none; } .box:focus rect { stroke: var(--ink); stroke-width: 4; }
    .box.dim { opacity: .35; } .box.hit rect { stroke: var(--ink); stroke-width: 4; stroke-dasharray: 4 2; }
    .box[hidden] { display: none; }
    #detail { min-height: 3em; overflow-wrap: anywhere; }
    .scroll { overflow: auto; max-height: 80vh; }
    table { border-collapse: collapse; width: 100%; } th { text-align: left; position: sticky; top: 0; background: var(--ground); }
    td, th { padding: .15rem .6rem .15rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
    .number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
    @media print { #tools, #detail { display: none; } .scroll { max-height: none; overflow: visible; } }
    """

  static let script = """
    (() => {
      const graph = document.getElementById('graph'), detail = document.getElementById('detail');
      const boxes = [...graph.querySelectorAll('.box')].map(element => ({
        element, x: +element.dataset.x, w: +element.dataset.w, d: +element.dataset.d }));
      const tools = document.getElementById('tools'), search = document.getElementById('search');
      const found = document.getElementById('found'), slack = 1e-6;
      let zoomed = boxes[0], focused = boxes[0];
      if (!boxes.length) return;
      tools.hidden = false;
      const within = (a, b) => a.x >= b.x - slack && a.x + a.w <= b.x + b.w + slack;
      const isShown = box => box.d < zoomed.d ? within(zoomed, box) : within(box, zoomed);
      function show() {
        for (const box of boxes) {
          const shown = isShown(box), above = box.d < zoomed.d;
          box.element.toggleAttribute('hidden', !shown);
          box.element.style.display = shown ? '' : 'none';
          if (!shown) continue;
          const x = above ? 0 : (box.x - zoomed.x) / zoomed.w, w = above ? 1 : box.w / zoomed.w;
          box.element.setAttribute('x', x * 100 + '%');
          box.element.setAttribute('width', Math.max(w, 0) * 100 + '%');
          box.element.classList.toggle('dim', above);
        }
      }
      function focus(box) {
        if (!box) return;
        focused.element.setAttribute('tabindex', '-1');
        focused = box;
        box.element.setAttribute('tabindex', '0');
        box.element.focus();
      }
      function zoom(box) { zoomed = box; show(); focus(box); }
      function tell(box) { detail.textContent = box.element.getAttribute('aria-label'); }
      function near(box, key) {
        const shown = boxes.filter(isShown);
        if (key === 'ArrowUp') return shown.find(b => b.d === box.d - 1 && within(box, b));
        if (key === 'ArrowDown') return shown.find(b => b.d === box.d + 1 && within(b, box));
        const row = shown.filter(b => b.d === box.d).sort((a, b) => a.x - b.x), at = row.indexOf(box);
        return row[at + (key === 'ArrowRight' ? 1 : -1)];
      }
      for (const box of boxes) {
        box.element.addEventListener('click', () => zoom(box));
        box.element.addEventListener('focus', () => { focused = box; tell(box); });
        box.element.addEventListener('mouseenter', () => tell(box));
        box.element.addEventListener('keydown', event => {
          if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); zoom(box); }
          else if (event.key.startsWith('Arrow')) { event.preventDefault(); focus(near(box, event.key)); }
        });
      }
      document.addEventListener('keydown', event => {
        if (event.key === 'Escape') zoom(boxes[0]);
        if (event.key === '/' && event.target !== search) { event.preventDefault(); search.focus(); }
      });
      document.getElementById('reset').addEventListener('click', () => zoom(boxes[0]));
      tools.addEventListener('submit', event => event.preventDefault());
      search.addEventListener('input', () => {
        const wanted = search.value.trim().toLowerCase();
        let hits = [];
        for (const box of boxes) {
          const hit = wanted && box.element.querySelector('text').textContent.toLowerCase().includes(wanted);
          box.element.classList.toggle('hit', !!hit);
          if (hit) hits.push(box);
        }
        const outer = hits.filter(box => !hits.some(other => other.d < box.d && within(box, other)));
        const share = outer.reduce((sum, box) => sum + box.w, 0);
        found.textContent = wanted ? hits.length + ' boxes, ' + (share * 100).toFixed(1) + ' % of the whole' : '';
      });
    })();
    """
}
