/// What has a page for a browser and forms for programs beside its parts.
package protocol Published: Readable {
  /// HTML5, in one file, with charts.
  var page: String { get }
  /// A line a figure.
  var csv: String { get }

  /// The formats that it can be had in.
  static var formats: [DocumentFormat] { get }
  /// Everything that it takes to redo it.
  ///
  /// - Throws: `EncodingError`.
  func json() throws -> String
}

/// Of what has no JSON its CSV says as much.
extension Published {
  package static var formats: [DocumentFormat] { [.table, .markdown, .html, .csv] }
  package func json() throws -> String { csv }
}

/// A format that what is set side by side can be had in.
package enum DocumentFormat: String, CaseIterable, Sendable {
  case table, markdown, html, csv, json

  /// The name of a page's file: `compare.html`.
  package func fileName(_ name: String) -> String { name + (self == .markdown ? ".md" : ".html") }

  /// The whole text, ending in a line break; `width` is the terminal's, in columns.
  ///
  /// - Throws: `EncodingError`, of JSON alone.
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
