import BenchAnalysis
import BenchResults
import Foundation

/// A profile as one page that a browser opens from a file: a flame graph, and a table of the same.
///
/// Nothing is fetched. Without script it is whole and can be read; script adds zoom, search and the
/// keyboard. The graph's form is Brendan Gregg's (Communications of the ACM 59(6), 2016): a box a function,
/// as wide as its part of the cost, on whom it calls; from left to right by name, not by time.
package struct FlameGraph {
  private let profile: Profile
  private let tree: CallTree
  private let costs: FunctionCosts
  private let title: String
  /// Narrower boxes than this part of the whole are left out: nobody could see them.
  private static let narrowest = 0.0005
  private static let rowHeight = 20

  package init(_ profile: Profile) {
    self.profile = profile
    tree = CallTree(profile)
    costs = FunctionCosts(profile)
    let cell = profile.cell
    title =
      "\(cell.backend) · \(cell.menu) · \(cell.workload) · \(profile.phase) · \(profile.what.rawValue)"
  }

  /// The page.
  package var page: String {
    let boxes = boxes()
    let rows = (boxes.map(\.depth).max() ?? 0) + 1
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(title.htmlEscaped)</title>
      <style>\(FlameGraphParts.style)</style>
      </head>
      <body>
      <main>
      <h1>\(title.htmlEscaped)</h1>
      <p>\(summary.htmlEscaped)</p>
      <form id="tools" hidden>
      <label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label>
      <button type="button" id="reset">Show all</button>
      <output id="found" role="status"></output>
      </form>
      <ul class="key" aria-label="Whose code a colour stands for">\(key)</ul>
      <svg id="graph" role="group" aria-label="Flame graph; the table below has the same figures" width="100%" height="\(rows * Self.rowHeight)">
      \(boxes.map(svg).joined(separator: "\n"))
      </svg>
      <p id="detail" role="status">\(hint.htmlEscaped)</p>
      <h2>By function</h2>
      \(table)
      </main>
      <script>\(FlameGraphParts.script)</script>
      </body>
      </html>

      """
  }

  private var summary: String {
    let facts = profile.facts
    let sampled = costs.measure.sample.map {
      "\(Wording.count((costs.whole / $0).rounded())) samples"
    }
    return [
      "\(Wording.plural(facts.runs, "run")) of the phase in \(Wording.plural(facts.blocks, "block"))",
      sampled,
      "a box is as wide as its part of the cost, and stands on whom it calls below it",
    ].compactMap(\.self).joined(separator: "; ") + "."
  }

  private var hint: String {
    "Select a box to zoom in. Keys: arrows to move, Enter to zoom, Escape to show all, / to search."
  }

  // MARK: graph

  private struct Box {
    var node: Int
    var depth: Int
    /// Parts of the whole.
    var start: Double
    var width: Double
  }

  private func boxes() -> [Box] {
    var boxes: [Box] = []
    let whole = tree.nodes[0].total
    guard whole > 0 else { return [] }
    var rest = [Box(node: 0, depth: 0, start: 0, width: 1)]
    while let box = rest.popLast() {
      guard box.width >= Self.narrowest else { continue }
      boxes.append(box)
      var start = box.start
      for child in tree.nodes[box.node].children {
        let width = tree.nodes[child].total / whole
        rest.append(Box(node: child, depth: box.depth + 1, start: start, width: width))
        start += width
      }
    }
    return boxes.sorted { ($0.depth, $0.start) < ($1.depth, $1.start) }
  }

  private func svg(_ box: Box) -> String {
    let node = tree.nodes[box.node]
    let frame = node.frame.map { profile.frames[$0] }
    let name = frame?.name ?? profile.phase
    let owner = frame?.owner.rawValue ?? "phase"
    let own = tree.nodes[0].total > 0 ? node.own / tree.nodes[0].total : 0
    let text =
      "\(name) (\(frame?.module ?? "phase")): \(Wording.percent(box.width)), "
      + "\(Wording.percent(own)) by itself"
    return
      "<svg class=\"box \(owner)\" x=\"\(percent(box.start))\" y=\"\(box.depth * Self.rowHeight)\" "
      + "width=\"\(percent(box.width))\" height=\"\(Self.rowHeight - 1)\" data-x=\"\(digits(box.start))\" "
      + "data-w=\"\(digits(box.width))\" data-d=\"\(box.depth)\" tabindex=\"\(box.depth == 0 ? 0 : -1)\" "
      + "role=\"img\" aria-label=\"\(text.htmlEscaped)\"><title>\(text.htmlEscaped)</title>"
      + "<rect width=\"100%\" height=\"100%\" rx=\"2\"/><text x=\"3\" y=\"14\">\(name.htmlEscaped)</text></svg>"
  }

  private func percent(_ share: Double) -> String { digits(share * 100) + "%" }

  private func digits(_ value: Double) -> String {
    String((value * 1e6).rounded() / 1e6)
  }

  private var key: String {
    let shown = Set(profile.frames.map(\.owner))
    return Profile.Owner.allCases.filter(shown.contains).map { owner in
      "<li><span class=\"swatch \(owner.rawValue)\"></span>\(FlameGraphParts.names[owner, default: ""])</li>"
    }.joined()
  }

  // MARK: table

  private var table: String {
    let rows = costs.rows.filter { $0.total > 0 }.map { row in
      let interval = row.interval.map {
        "\(Wording.percent($0.low)) – \(Wording.percent($0.high))"
      }
      let cells = [
        Wording.percent(row.share), interval ?? "exact", Wording.percent(row.total / costs.whole),
      ]
      return "<tr>" + cells.map { "<td class=\"number\">\($0)</td>" }.joined()
        + "<td>\(row.frame.name.htmlEscaped)</td><td>\(row.frame.module.htmlEscaped)</td></tr>"
    }
    return """
      <div class="scroll" tabindex="0" role="region" aria-label="Costs by function"><table>
      <thead><tr><th scope="col">self</th><th scope="col">interval</th><th scope="col">total</th><th scope="col">function</th><th scope="col">of</th></tr></thead>
      <tbody>
      \(rows.joined(separator: "\n"))
      </tbody></table></div>
      """
  }
}

/// The parts of the page that are the same whatever the profile.
private enum FlameGraphParts {
  static let names: [Profile.Owner: String] = [
    .program: "the program's own", .swift: "Swift", .foundation: "Foundation",
    .library: "other libraries", .system: "C library", .kernel: "kernel",
  ]

  // Okabe and Ito's colours (jfly.uni-koeln.de/color), told apart by colour-blind readers; black on each of them
  // has a contrast of 5 and more.
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
    .swatch { background: var(--fill); }
    #graph { display: block; overflow: hidden; font: 12px/1 ui-monospace, monospace; }
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
