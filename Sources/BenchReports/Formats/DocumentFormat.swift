/// A report with a page for browsers and forms for programs.
package protocol Published: Readable {
  /// HTML5, in one file, with charts.
  var page: String { get }
  /// One line per figure.
  var csv: String { get }

  /// The formats that it supports.
  static var formats: [DocumentFormat] { get }
  /// Returns everything that is needed to repeat it.
  ///
  /// - Throws: `EncodingError`.
  func json() throws -> String
}

/// Reports without JSON return their CSV instead, which says as much.
extension Published {
  package static var formats: [DocumentFormat] { [.table, .markdown, .html, .csv] }
  package func json() throws -> String { csv }
}

/// A format of a published report.
package enum DocumentFormat: String, CaseIterable, Sendable {
  case table, markdown, html, csv, json

  /// Returns the name of a page's file, such as `compare.html`.
  package func fileName(_ name: String) -> String { name + (self == .markdown ? ".md" : ".html") }

  /// Returns the whole text, ending in a line break. `width` is the terminal's, in columns.
  ///
  /// - Throws: `EncodingError`, for JSON only.
  package func render(
    _ document: some Published, width: Int = Terminal.usualWidth
  ) throws -> String {
    switch self {
    case .table: document.text(width: width)
    case .markdown: document.markdown
    case .html: document.page
    case .csv: document.csv
    case .json: try document.json()
    }
  }
}
