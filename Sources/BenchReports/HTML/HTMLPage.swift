/// A page of sections in one file: its style and its script are in it, and nothing else is needed.
struct HTMLPage {
  /// A part of the page that can be linked to.
  struct Section {
    let id: String
    let title: String?
    let body: String
  }

  let title: String
  let sections: [Section]

  /// HTML5.
  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title.markupEscaped)</title>
    <style>
    \(ChartStyle.variables)
    \(Self.style)
    \(ChartStyle.rules)
    </style>
    </head>
    <body>
    <main>
    <h1>\(title.markupEscaped)</h1>
    \(sections.map(Self.html).joined(separator: "\n"))
    </main>
    <script>
    \(Self.script)
    </script>
    </body>
    </html>

    """
  }

  private static func html(_ section: Section) -> String {
    """
    <section id="\(section.id)"\(section.title.map { " aria-label=\"\($0)\"" } ?? "")>
    \(section.title.map { "<h2>\($0)</h2>\n" } ?? "")\(section.body)
    </section>
    """
  }

  /// What the words of charts and tables mean, each one focusable hover away.
  static func words(oneProcess: Bool, hasScores: Bool = false) -> String {
    let block =
      oneProcess
      ? "one turn of a cell, all in one process: what differs between processes no block shows"
      : "a fresh process that measures a cell: samples of one block share what differs between processes"
    let terms =
      [
        (
          "cell",
          "one storage with one menu, under one workload, at one durability"
        ),
        ("block", block),
        (
          "interval",
          "a 95 % confidence interval: of 100 made so, 95 or more hold the true value, had the number of blocks been fixed beforehand; in a run's tables of the median of the blocks, against a baseline of the ratio"
        ),
        (
          "floor",
          "what moving the same bytes costs without the storage: one that takes less has to say why"
        ),
        ("phase", "a part of a workload's work that is timed by itself, such as decode"),
        ("frontier", "the storages that no other beats in both costs at once"),
      ] + (hasScores ? scoreTerms : [])
    let items = terms.map { word, meaning in
      "<span class=\"term\" tabindex=\"0\" aria-describedby=\"term-\(word)\">\(word)"
        + "<span role=\"tooltip\" id=\"term-\(word)\">\(meaning)</span></span>"
    }
    return
      "<p class=\"terms\">Words, explained where you point: \(items.joined(separator: ", ")).</p>"
  }

  private static let scoreTerms = [
    (
      "need",
      "what an app does most, as a weight for each cost that counts: see bench compare --help"
    ),
    (
      "score",
      "how many times the best a storage costs, over all that a need weighs: the weighted geometric mean, in which times that are good enough count little"
    ),
  ]

  /// Hides the rows that lack what is typed, where there is script.
  static let filter = """
    <p class="filter" hidden><label>Show rows with <input type="search" id="filter" autocomplete="off" \
    spellcheck="false"></label> <output id="shown" role="status"></output></p>

    """

  private static let style = """
    * { box-sizing: border-box; }
    body { background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; margin: 0; }
    main { max-width: 75rem; margin: 0 auto; padding: 1rem; }
    h1 { font-size: 1.3rem; } h2 { font-size: 1.15rem; margin-top: 2rem; } h3 { font-size: 1.05rem; margin-top: 1.5rem; }
    h1, h2, h3, p, li, figcaption { overflow-wrap: anywhere; }
    .headline { font-size: 1.25rem; margin-top: .5rem; }
    .figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 26rem), 1fr)); gap: 2rem 1.5rem; align-items: start; }
    .figure { margin: 0; min-width: 0; } figcaption { font-weight: 600; margin-bottom: .5rem; }
    .chart { display: block; width: 100%; max-width: 36rem; height: auto; }
    iframe { width: 100%; height: 40rem; border: 1px solid var(--line); } @media (max-width: 40rem) { iframe { height: 60rem; } }
    .scroll { overflow-x: auto; max-width: 100%; }
    table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
    th { text-align: left; font-weight: 600; } tbody th { font-weight: inherit; }
    td, th { padding: .15rem .9rem .15rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
    td, th.n { text-align: right; white-space: nowrap; } td.w { text-align: left; } td.w, .figure th { white-space: normal; }
    tbody th { position: sticky; left: 0; background: var(--ground); }
    th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; text-decoration: underline dotted; }
    th[aria-sort=ascending] button::after { content: " ▲"; } th[aria-sort=descending] button::after { content: " ▼"; }
    input { font: inherit; padding: .2rem .4rem; max-width: 100%; }
    :focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
    a { color: inherit; }
    .terms { position: relative; } .term { text-decoration: underline dotted; cursor: help; }
    .term [role=tooltip] { position: absolute; left: 0; top: 100%; z-index: 1; max-width: min(24rem, 90%); padding: .4rem .6rem; background: var(--ground); border: 1px solid var(--ink); display: none; text-decoration: none; }
    .term:hover [role=tooltip], .term:focus [role=tooltip] { display: block; }
    @media print { .term [role=tooltip] { display: inline; position: static; padding: 0; border: 0; } .term [role=tooltip]::before { content: ": "; } .filter { display: none; } .figure { break-inside: avoid; } .scroll { overflow: visible; } body { font-size: 11px; } td, th { padding-right: .5rem; } .wide td, .wide th, .figure td { padding-right: .25rem; white-space: normal; } .wide td, .wide th { overflow-wrap: anywhere; } }
    """

  /// Sorts a table by a column of its header, hides the rows that lack what is typed.
  private static let script = """
    (() => {
      const units = { ns: 1, 'µs': 1e3, ms: 1e6, s: 1e9, B: 1, kB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 };
      const value = cell => {
        if (!cell) return NaN;
        if (cell.dataset.value) return +cell.dataset.value;
        const whole = cell.textContent.replace(/,(?=\\d{3})/g, '').trim();
        // Of a difference it is the change in brackets that compares.
        const [, text] = whole.match(/^[+−-].* \\((.*[%×].*)\\)$/) || [, whole];
        if (/^((≈ )?best|same)$/.test(text)) return 1;
        const match = text.match(/^[<>≥≤≈± ]*([+−-]?)([0-9.]+)(?: ?(ns|µs|ms|s|B|kB|MB|GB|TB|%|×))?( faster| smaller| fewer| less)?( slower| larger| more)?/);
        // Words that begin with a number, such as a date, are words; a range goes by its lower end.
        if (!match || (cell.tagName === 'TH' || cell.classList.contains('w')) && !/^( \\(|–| to |, |$)/.test(text.slice(match[0].length))) return NaN;
        const size = +match[2] * (units[match[3]] || 1), number = match[1] && match[1] !== '+' ? -size : size;
        // A change is by its ratio, whichever way it is said.
        return match[1] && match[3] === '%' ? 1 + number / 100 : match[4] ? 1 / number : number;
      };
      for (const table of document.querySelectorAll('table.sortable')) {
        const body = table.tBodies[0];
        [...table.tHead.rows[0].cells].forEach((head, place) => {
          if (!head.textContent) return;
          const button = document.createElement('button');
          button.type = 'button';
          button.textContent = head.textContent;
          head.replaceChildren(button);
          button.addEventListener('click', () => {
            const up = head.getAttribute('aria-sort') !== 'ascending';
            for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
            head.setAttribute('aria-sort', up ? 'ascending' : 'descending');
            const rows = [...body.rows], sign = up ? 1 : -1;
            rows.sort((a, b) => {
              const cells = [a.cells[place], b.cells[place]], [x, y] = cells.map(value);
              if (!isNaN(x) && !isNaN(y)) return sign * (x - y);
              if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
              // What is unknown stands last, whichever way.
              const [one, other] = cells.map(cell => cell.textContent.replace(/^—$/, ''));
              return one && other ? sign * one.localeCompare(other) : !one - !other;
            });
            body.append(...rows);
          });
        });
      }
      const filter = document.getElementById('filter');
      if (!filter) return;
      filter.closest('.filter').hidden = false;
      filter.addEventListener('input', () => {
        const words = filter.value.trim().toLowerCase().split(/ +/);
        let shown = 0;
        for (const row of document.querySelectorAll('#figures tbody tr')) {
          const text = row.textContent.toLowerCase();
          row.hidden = !words.every(word => text.includes(word));
          shown += row.hidden ? 0 : 1;
        }
        document.getElementById('shown').textContent = filter.value ? shown + (shown === 1 ? ' row' : ' rows') : '';
      });
    })();
    """
}
