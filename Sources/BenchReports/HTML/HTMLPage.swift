import BenchAnalysis
import BenchResults

/// A page of sections in a single file, which includes its style and its script.
struct HTMLPage {
  struct Section {
    let id: String
    let title: String?
    let body: String
  }

  let title: String
  /// What was measured, where and when, in one line, or empty if the page is of several runs.
  var about = ""
  let sections: [Section]
  /// The rules and the script that only this page needs.
  var more: (style: [UInt8], script: [UInt8]) = ([], [])

  var text: String {
    """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>\(title.markupEscaped)</title>
    <style>
    \(Self.text(PackageResources.chart_css + PackageResources.page_css + more.style))</style>
    </head>
    <body>
    <main>
    <header>
    <h1>\(title.markupEscaped)</h1>
    \(about.isEmpty ? "" : "<p>\(about.markupEscaped)</p>\n")\(contents)
    </header>
    \(sections.map(Self.html).joined(separator: "\n"))
    </main>
    <script>
    \(Self.text(PackageResources.page_js + more.script))</script>
    </body>
    </html>

    """
  }

  /// Links to the sections that have a title.
  private var contents: String {
    let links = sections.compactMap { section in
      section.title.map { "<a href=\"#\(section.id)\">\($0)</a>" }
    }
    return "<nav aria-label=\"Contents\">\(links.joined(separator: " "))</nav>"
  }

  private static func text(_ file: [UInt8]) -> String { String(decoding: file, as: UTF8.self) }

  private static func html(_ section: Section) -> String {
    """
    <section id="\(section.id)"\(section.title.map { " aria-label=\"\($0)\"" } ?? "")>
    \(section.title.map { "<h2>\($0)</h2>\n" } ?? "")\(section.body)
    </section>
    """
  }

  /// Explains the words in charts and tables.
  static var words: String {
    let items = [
      "cell: one backend with one menu, one workload and one durability",
      "block: one turn of measuring a cell, in a fresh process unless a warning says otherwise",
      "interval: a 95 % confidence interval. If the number of blocks is fixed beforehand, at least "
        + "95 of 100 contain the true value: the median of the blocks, or the ratio to a baseline",
      "floor: the time only to move the same bytes: a backend that takes less must give a reason",
      "phase: a part of a workload that is timed separately, such as decode",
    ]
    return [Part.details(title: "Terms", items: items)].html
  }
}

extension [Chart] {
  var html: String {
    guard !isEmpty else { return "<p>There is no figure to draw.</p>" }
    return "<div class=\"figures\">\n" + map(\.figure).joined(separator: "\n") + "\n</div>"
  }
}

extension HTMLPage {
  /// Makes the page of a run.
  init(title: String, of record: RunRecord, sections: [Section]) {
    let machine = record.machine
    let place = [machine.cpu, machine.system].compactMap(\.self).joined(separator: ", ")
    let about =
      "Measured on \(record.settings.started.prefix(10)), "
      + "\(place.isEmpty ? "" : "on \(place), ")by \(record.tool.name) \(record.tool.version)"
    self.init(title: title, about: about, sections: sections)
  }
}

extension HTMLPage.Section {
  /// Makes the section of the answer, which comes first.
  static func answer(_ parts: [Part], title: String? = nil) -> Self {
    Self(id: "answer", title: title, body: parts.html)
  }

  static func charts(_ html: String, title: String = "Charts") -> Self {
    Self(id: "charts", title: title, body: html)
  }

  /// Makes the section of tables. The script hides rows that do not contain the typed text.
  static func figures(_ html: String, title: String = "Tables") -> Self {
    let filter = """
      <p class="filter" hidden><label>Show rows with <input type="search" id="filter" autocomplete="off" \
      spellcheck="false"></label> <output id="shown" role="status"></output></p>

      """
    return Self(id: "figures", title: title, body: filter + html)
  }

  static func measured(_ report: Report, _ others: [Part] = []) -> Self {
    Self(
      id: "measured", title: FactSection.title,
      body: ([FactSection(report: report).facts] + others).html + "\n" + HTMLPage.words)
  }
}
