import Basics

extension [Part] {
  var html: String { html { _ in nil } }

  /// Returns the same with links to the places that cells name, if the page has them.
  func html(link: (String) -> String?) -> String {
    var heading = ""
    return map { part in
      switch part {
      case .headline(let text), .heading(let text): heading = text
      default: break
      }
      return part.html(link, under: heading)
    }.joined(separator: "\n")
  }
}

extension Part {
  fileprivate func html(_ link: (String) -> String?, under heading: String) -> String {
    switch self {
    case .headline(let text): "<h2 class=\"headline\">\(text.markupEscaped)</h2>"
    case .heading(let title): "<h3>\(title.markupEscaped)</h3>"
    case .paragraph(let text): "<p>\(text.markupEscaped)</p>"
    case .table(let table):
      table.html(
        label: [heading, table.titles.filter { !$0.isEmpty }.joined(separator: ", ")]
          .filter { !$0.isEmpty }.joined(separator: ": "), link: link)
    case .statements(let items): Self.list(items.map(\.text))
    case .details(let title, let items):
      "<details><summary>\(title.markupEscaped)</summary>\n\(Self.list(items))\n</details>"
    case .picture(let picture): picture.page
    }
  }

  private static func list(_ items: [String]) -> String {
    "<ul>\n" + items.map { "<li>\($0.markupEscaped)</li>" }.joined(separator: "\n") + "\n</ul>"
  }
}

extension Table {
  /// With more columns a table is wider than paper, and its cells take several lines there.
  private static let wide = 18

  /// Returns the table for a page. If it is too wide, it scrolls by itself. The first cell of each row is its header.
  ///
  /// - Parameter link: Returns the id of the place that a cell names, or nil if the page does not have it.
  func html(
    label: String, isSortable: Bool = true, link: (String) -> String? = { _ in nil }
  ) -> String {
    let heads = columns.map { column in
      column.title.isEmpty
        ? "<td></td>"
        : "<th scope=\"col\"\(column.isNumber ? " class=\"n\"" : "")>\(column.title.markupEscaped)</th>"
    }
    let lines = rows.map { row in
      let cells = row.enumerated().map { place, cell in
        // Read aloud, a line of bars would be the names of its characters.
        let shown =
          cell.isDrawn ? "<span aria-hidden=\"true\">\(cell.text)</span>" : cell.text.markupEscaped
        let html = cell.link.flatMap(link).map { "<a href=\"#\($0)\">\(shown)</a>" } ?? shown
        // The full value, for the script and for programs that read pages.
        let value = cell.value?.finite.map { " data-value=\"\($0.digits)\"" } ?? ""
        return place == 0
          ? "<th scope=\"row\"\(value)>\(html)</th>"
          : "<td\(columns[place].isNumber ? "" : " class=\"w\"")\(value)>\(html)</td>"
      }
      return "<tr>\(cells.joined())</tr>"
    }
    let named = "aria-label=\"\(label.markupEscaped)\""
    let classes = (isSortable ? ["sortable"] : []) + (columns.count > Self.wide ? ["wide"] : [])
    let looks = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    return """
      <div class="scroll" tabindex="0" role="group" \(named)><table \(named)\(looks)>
      <thead><tr>\(heads.joined())</tr>\(lines.prefix(pinned).joined())</thead>
      <tbody>
      \(lines.dropFirst(pinned).joined(separator: "\n"))
      </tbody></table></div>
      """
  }
}
