import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchProbes
import BenchReports
import BenchResults
import Foundation
import MenuModel

/// What `compare` and `scale` have in common: they measure much, or take stored runs instead, and
/// come to one page.
struct SideBySideOptions: ParsableArguments {
  @OptionGroup(title: "How long and where") var limits: Limits

  @Option(
    name: .customLong("run"),
    help: "Stored runs to set side by side instead of measuring: RUN.json[,RUN.json].")
  var storedRuns: String?

  @OptionGroup(title: "What to show") var page: PageOptions

  @OptionGroup(title: "What to show") var output: OutputOptions

  @Flag(help: "Measure a debug build all the same; its figures say nothing about an app.")
  var allowDebug = false

  /// The stored runs as one; nil where it is to be measured.
  ///
  /// - Throws: a ``CLIError`` where options were given that are for measuring, or the runs may not be
  ///   compared.
  func stored(unless given: [String]) throws -> RunRecord? {
    guard let storedRuns else { return nil }
    try limits.refuseMeasuring(given)
    return try StoredRun.sideBySide(storedRuns)
  }

  /// Refuses limits that make no sense, and a debug build unless somebody insists.
  func checkMeasuring() throws {
    try Build.refuseDebug(unless: allowDebug)
    try limits.check()
    try output.check()
  }
}

/// How a page is shown, and where else it goes.
struct PageOptions: ParsableArguments {
  @Option(help: "table, markdown, html, csv or json.")
  var format = DocumentFormat.table.rawValue

  @OptionGroup var output: ShownOptions

  /// What was typed, found.
  ///
  /// - Throws: a ``CLIError`` where there is no format of a name, or an export is no `FORMAT=PATH`.
  func chosen() throws -> PageShow {
    PageShow(
      exports: try output.exports(example: "csv=costs.csv") {
        try ValidNames.choice("format", $0)
      },
      format: try ValidNames.choice("format", format),
      width: output.wide ? TableReporter.unlimitedWidth : Console.outputWidth)
  }
}

/// The page of standard output, and those of files.
struct PageShow {
  let exports: [(format: DocumentFormat, path: String)]
  let format: DocumentFormat
  let width: Int

  /// Writes a page to its files, then to standard output: neither must cost the other where it fails.
  ///
  /// - Throws: a ``CLIError`` where something cannot be written.
  func callAsFunction(_ page: some SideBySideReport) throws {
    let exported = Result {
      for (format, path) in exports {
        let text = try page.text(as: format, width: TableReporter.width)
        try SafeFile.replace(path, with: Data(text.utf8))
      }
    }
    try Console.output(try page.text(as: format, width: width))
    try exported.get()
  }
}

/// What `compare` and `scale` come to: the page, and the run's report beside it.
protocol SideBySideReport {
  var run: Report { get }
  func text(as format: DocumentFormat, width: Int) throws -> String
}

extension RecommendationReport: SideBySideReport {
  func text(as format: DocumentFormat, width: Int) throws -> String {
    try format.render(self, width: width)
  }
}

extension ScaleReport: SideBySideReport {
  func text(as format: DocumentFormat, width: Int) throws -> String {
    try format.render(self, width: width)
  }
}

/// Measuring for `compare` and `scale`.
struct SideBySide<Document: BenchDocument> {
  /// What to measure.
  let chosen: Selection.Chosen<Document>
  /// The limits and the folder, as typed.
  let options: SideBySideOptions
  /// Seconds that measuring may take; nil for no end.
  let budget: Double?

  private var limits: Limits { options.limits }

  /// Measures, analyses, keeps every report and the pages under their name, and shows the page.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured` after that, where a cell could not be measured or a
  ///   time cannot be true.
  @discardableResult
  func measure<Page: SideBySideReport>(
    _ show: PageShow, _ name: String, _ analyse: (RunRecord) -> Page
  ) async throws -> Page {
    let folder = try OutputFolder(options.output, of: name)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? folder.storage, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let session = Session(
      plan: runPlan(in: storage),
      record: await .empty(
        for: chosen, limits, budget: budget, storage, tags: try options.output.tags()),
      folder: folder, precision: limits.precision)
    let record = try await session.measure()
    let page = analyse(record)
    // Files first: a terminal or pipe that fails must not cost what was measured.
    let pages = try [DocumentFormat.markdown, .html].map { format in
      (name: format.fileName(name), text: try page.text(as: format, width: TableReporter.width))
    }
    let saved = Result { try folder.keep(page.run, and: pages) }
    let shown = Result { try show(page) }
    Console.note(try saved.get())
    try shown.get()
    storage.remove()
    session.reraiseInterruption()
    try RunVerdict(report: page.run).enforce()
    try record.checkIsMeasured()
    return page
  }

  private func runPlan(in storage: ScratchFolder) -> RunPlan {
    RunPlan(
      cells: chosen.cells, blocks: limits.blocks, countedBlocks: 1, budgetSeconds: budget,
      sampling: .short, memoryLimit: limits.workers.memoryBytes,
      timeout: limits.workers.timeout, storage: storage.path, seed: limits.workers.anySeed)
  }
}
