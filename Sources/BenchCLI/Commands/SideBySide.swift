import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchProbes
import BenchReports
import BenchResults
import Foundation

/// The options that `compare` and `scale` share. Both measure much or take a stored run, and write
/// one page.
struct SideBySideOptions: ParsableArguments {
  @OptionGroup(title: "Limits") var limits: Limits

  @Option(
    name: .customLong("run"),
    help: "A stored run to show instead of measuring: a run.json, its folder, or a kept run.")
  var storedRun: String?

  @OptionGroup(title: "Output") var page: PageOptions

  @OptionGroup(title: "Output") var output: OutputOptions
}

/// The options for showing a page and writing it to files.
struct PageOptions: ParsableArguments {
  @Option(help: "table, markdown, html, csv or, for compare, json.")
  var format = DocumentFormat.table.rawValue

  @OptionGroup var output: ShownOptions

  /// Finds the formats that were typed.
  func chosen(among formats: [DocumentFormat]) throws -> Show<PageFormat> {
    func found(_ name: String) throws -> DocumentFormat {
      try ValidNames.choice("format", name, among: formats, by: \.rawValue)
    }
    let exports = try output.exports(example: "csv=costs.csv") {
      PageFormat(format: try found($0), width: Terminal.usualWidth)
    }
    let width = output.wide ? Terminal.unlimitedWidth : Console.outputWidth
    return Show(format: PageFormat(format: try found(format), width: width), exports: exports)
  }
}

/// A format of pages, and the width of its tables.
struct PageFormat {
  let format: DocumentFormat
  let width: Int
}

extension Show<PageFormat> {
  func callAsFunction(_ page: some SideBySideReport) throws {
    try write(isForPrograms: ![.table, .markdown].contains(format.format)) {
      try $0.format.render(page, width: $0.width)
    }
  }
}

/// The result of `compare` or `scale`: a page, with the run's report.
protocol SideBySideReport: Published {
  var run: Report { get }
}

extension RecommendationReport: SideBySideReport {}
extension ScaleReport: SideBySideReport {}

extension SideBySideOptions {
  /// The cells to measure, and the seconds for that, or nil for no limit.
  typealias Plan = (chosen: ChosenCells, budget: Double?)

  /// Takes a stored run, or measures what is planned. Shows the page, and keeps a measured run with
  /// all reports and the pages under their name.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured` at the end, if a cell could not be measured or
  ///   a time cannot be true.
  func report<Page: SideBySideReport>(
    _ name: String, unless given: [String],
    plan: () throws -> Plan, analyse: (RunRecord) throws -> Page
  ) async throws -> Page {
    let show = try self.page.chosen(among: Page.formats)
    try show.refuse(losing: [storedRun].compactMap(\.self))
    if let storedRun {
      try limits.refuseMeasuring(given + output.given)
      let page = try analyse(try StoredRun.sideBySide(storedRun))
      try show(page)
      try page.run.enforce()
      return page
    }
    try Build.refuseDebug(unless: limits.workers.allowDebug)
    try limits.check()
    try output.check()
    Console.noteIfSilent("preparing menus")
    let (chosen, budget) = try plan()
    try show.refuse(losing: chosen.cells.map(\.documentName))
    let session = try Session(output, of: name, limits.workers, chosen.cells)
    defer { session.storage.remove() }
    let run = RunPlan(chosen, limits, countedBlocks: 1, budget: budget, in: session.storage)
    let asked = try await chosen.record(run, limits, in: session.storage, output)
    let page = try analyse(try await session.measure(run, asked, precision: limits.precision))
    let pages = try [DocumentFormat.markdown, .html].map { format in
      (name: format.fileName(name), data: Data(try format.render(page).utf8))
    }
    try session.folder.finish(page.run, and: pages) { try show(page) }
    session.end()
    try page.run.enforce()
    return page
  }
}

extension StoredRun {
  /// Reads a run whose backends are to be compared.
  static func sideBySide(_ name: String) throws -> RunRecord {
    let record = try read(name)
    if let unlike = record.unlikeShards.first {
      throw CLIError(
        "\(name) was measured on several machines, so its backends have no ranks: \(unlike)",
        help: "rank the run of each shard, or show all shards: bench report \(name)")
    }
    guard record.hasFigures else {
      throw CLIError(
        "\(name) holds no figure to compare", help: "give a run that measured something",
        status: .unmeasured)
    }
    return record
  }
}
