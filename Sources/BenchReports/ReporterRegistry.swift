package enum ReporterRegistry {
  package static let all: [any Reporter] = [
    TableReporter(),
    CSVReporter(),
    MarkdownReporter(),
    HTMLReporter(),
    SVGReporter(),
    JSONReporter(),
    JUnitReporter(),
    GoBenchReporter(),
  ]
}
