/// Every built-in format.
public enum ReporterRegistry {
  /// The formats, in the order in which they are listed.
  public static let all: [any Reporter] = [
    TableReporter(),
    CSVReporter(),
    MarkdownReporter(),
    JSONReporter(),
    JUnitReporter(),
    GitHubBenchmarkReporter(),
    BencherReporter(),
    JMHReporter(),
    OpenMetricsReporter(),
    GoBenchReporter(),
  ]
}
