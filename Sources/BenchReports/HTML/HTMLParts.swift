import Basics

/// A cell of a table, as far as a link from it goes by it.
struct LinkedCell {
  /// What stands above the table.
  let heading: String
  let column: String
  let text: String
  /// The texts of its row.
  let row: [String]
}

/// Where a cell of a table leads to; nil where nowhere.
typealias CellLink = (LinkedCell) -> String?

extension [Part] {
  /// The parts for a browser.
  var html: String { html { _ in nil } }

  /// The same with links from cells.
  func html(link: CellLink) -> String {
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
  fileprivate func html(_ link: CellLink, under heading: String) -> String {
    switch self {
    case .headline(let text): "<h2 class=\"headline\">\(text.markupEscaped)</h2>"
    case .heading(let title): "<h3>\(title.markupEscaped)</h3>"
    case .paragraph(let text): "<p>\(text.markupEscaped)</p>"
    case .table(let table): table.html(link, under: heading)
    case .list(let items): Self.list(items)
    case .details(let title, let items):
      "<details><summary>\(title.markupEscaped)</summary>\n\(Self.list(items))\n</details>"
    }
  }

  private static func list(_ items: [String]) -> String {
    "<ul>\n" + items.map { "<li>\($0.markupEscaped)</li>" }.joined(separator: "\n") + "\n</ul>"
  }
}

extension TextTable {
  fileprivate func html(_ link: CellLink, under heading: String) -> String {
    let titles = columns.map(\.title).filter { !$0.isEmpty }.joined(separator: ", ")
    return HTMLTable.text(
      head: columns.map { ($0.title, $0.isNumber) },
      rows: rows.map { row in
        zip(columns, row).map { column, text in
          let linked = LinkedCell(heading: heading, column: column.title, text: text, row: row)
          return cell(column, text, link(linked))
        }
      }, pinned: pinned, label: heading.isEmpty ? titles : "\(heading): \(titles)",
      isSortable: true)
  }

  private func cell(_ column: Column, _ text: String, _ target: String?) -> HTMLTable.Cell {
    // Read aloud a line of bars would be the names of its characters.
    let shown =
      Sparkline.isOne(text) ? "<span aria-hidden=\"true\">\(text)</span>" : text.markupEscaped
    return HTMLTable.Cell(
      html: target.map { "<a href=\"\($0)\">\(shown)</a>" } ?? shown, isNumber: column.isNumber)
  }
}

/// A table in a page; what is wider than the page scrolls in itself.
enum HTMLTable {
  /// What stands in a cell.
  struct Cell {
    /// Escaped already.
    let html: String
    /// Whether it stands to the right, as most do.
    let isNumber: Bool
    /// By what the script sorts it, and what reads it back; nil where its text says it.
    var value: Double?
  }

  /// A table of more columns than this is wider than paper, and its cells take several lines there.
  private static let wide = 18

  /// The first cell of every row names it; so many of the first rows stay at the head, however the others are sorted.
  static func text(
    head: [(title: String, isNumber: Bool)], rows: [[Cell]], pinned: Int = 0, label: String,
    isSortable: Bool
  ) -> String {
    let heads = head.map { title, isNumber in
      title.isEmpty
        ? "<td></td>"
        : "<th scope=\"col\"\(isNumber ? " class=\"n\"" : "")>\(title.markupEscaped)</th>"
    }
    let lines = rows.map { row in
      "<tr>" + row.enumerated().map { $0 == 0 ? name($1) : figure($1) }.joined() + "</tr>"
    }
    let named = "aria-label=\"\(label.markupEscaped)\""
    let classes = (isSortable ? ["sortable"] : []) + (head.count > wide ? ["wide"] : [])
    let looks = classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\""
    return """
      <div class="scroll" tabindex="0" role="group" \(named)><table \(named)\(looks)>
      <thead><tr>\(heads.joined())</tr>\(lines.prefix(pinned).joined())</thead>
      <tbody>
      \(lines.dropFirst(pinned).joined(separator: "\n"))
      </tbody></table></div>
      """
  }

  private static func name(_ cell: Cell) -> String { "<th scope=\"row\">\(cell.html)</th>" }

  private static func figure(_ cell: Cell) -> String {
    let value = cell.value.map { " data-value=\"\($0.digits)\"" } ?? ""
    return "<td\(cell.isNumber ? "" : " class=\"w\"")\(value)>\(cell.html)</td>"
  }
}

extension String {
  /// HTML as an attribute that holds all of it, line by line.
  var quotedAttribute: String {
    replacing(["&": "&amp;", "\"": "&quot;"])
  }
}
