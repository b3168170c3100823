import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchProbes
import BenchReports
import BenchResults
import Foundation
import MenuWorkloads

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

  /// The stored runs as one; nil where it is to be measured.
  ///
  /// - Throws: a ``CLIError`` where options were given that are for measuring, or the runs may not be
  ///   compared.
  private func stored(unless given: [String]) throws -> RunRecord? {
    guard let storedRuns else { return nil }
    try limits.refuseMeasuring(given + output.given)
    return try StoredRun.sideBySide(storedRuns)
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
  func chosen() throws -> Show<PageFormat> {
    let exports = try output.exports(example: "csv=costs.csv") {
      PageFormat(format: try ValidNames.choice("format", $0), width: TableReporter.width)
    }
    let width = output.wide ? TableReporter.unlimitedWidth : Console.outputWidth
    return Show(
      format: PageFormat(format: try ValidNames.choice("format", format), width: width),
      exports: exports)
  }
}

/// A format of pages, and the width of its tables.
struct PageFormat {
  let format: DocumentFormat
  let width: Int
}

extension Show<PageFormat> {
  /// Writes a page.
  func callAsFunction(_ page: some SideBySideReport) throws {
    try write(isForPrograms: ![.table, .markdown].contains(format.format)) {
      try page.text(as: $0.format, width: $0.width)
    }
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

extension SideBySideOptions {
  /// The cells to measure, and the seconds that it may take; nil for no end.
  typealias Plan<Document: BenchDocument> = (chosen: Selection.Chosen<Document>, budget: Double?)

  /// Takes stored runs, or measures what is planned; shows the page, and keeps what was measured with
  /// every report and the pages under their name.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured` after that, where a cell could not be measured or a
  ///   time cannot be true.
  func report<Page: SideBySideReport, Document: BenchDocument>(
    _ name: String, unless given: [String],
    plan: () throws -> Plan<Document>, analyse: (RunRecord) throws -> Page
  ) async throws -> Page {
    let show = try self.page.chosen()
    if let record = try stored(unless: given) {
      let page = try analyse(record)
      try show(page)
      try RunVerdict(report: page.run).enforce()
      return page
    }
    try Build.refuseDebug(unless: limits.workers.allowDebug)
    try limits.check()
    try output.check()
    Console.noteUnlessHeard("preparing menus")
    let (chosen, budget) = try plan()
    let folder = try OutputFolder(output, of: name)
    let storage = try ScratchFolder(
      in: limits.workers.storage ?? folder.storage, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let session = Session(
      plan: RunPlan(chosen, limits, countedBlocks: 1, budget: budget, in: storage),
      record: await .empty(
        for: chosen, limits, budget: budget, storage, tags: try output.tags()),
      folder: folder, precision: limits.precision)
    let page = try analyse(try await session.measure())
    let pages = try [DocumentFormat.markdown, .html].map { format in
      (name: format.fileName(name), text: try page.text(as: format, width: TableReporter.width))
    }
    try folder.finish(page.run, and: pages) { try show(page) }
    storage.remove()
    session.reraiseInterruption()
    try RunVerdict(report: page.run).enforce()
    return page
  }
}

extension StoredRun {
  /// Reads runs by their paths, separated by commas, as one: what they measured apart is set side by
  /// side. A comma in the name of a file or a folder that is there separates nothing.
  ///
  /// - Throws: a ``CLIError`` where they may not be compared: other machines, other menus of one name,
  ///   one cell measured twice, or no figure at all.
  static func sideBySide(_ paths: String) throws -> RunRecord {
    let names = Self.names(paths)
    guard names.count > 1 else { return try withFigures(try ofOneMachine(paths), paths) }
    var whole = try part(names[0])
    for name in names.dropFirst() { try add(try part(name), name, to: &whole, names[0]) }
    return try withFigures(whole, paths)
  }

  private static func names(_ paths: String) -> [String] {
    var parts = paths.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[...]
    var names: [String] = []
    while let part = parts.first {
      let file = MenuSource.fileWithCommas(parts)
      names.append(file?.name ?? part)
      parts = parts.dropFirst(file?.parts ?? 1)
    }
    return names
  }

  /// Reads a run that is to be one of several: the split of its suite is not that of the whole.
  private static func part(_ name: String) throws -> RunRecord {
    var record = try ofOneMachine(name)
    if !record.mergedShards.isEmpty {
      record.warnings += record.lackOfShards.map { ["\(name): \($0)"] } ?? []
    }
    record.split = nil
    return record
  }

  private static func withFigures(_ whole: RunRecord, _ paths: String) throws -> RunRecord {
    guard whole.hasFigures else {
      throw CLIError(
        "\(paths) holds no figure to compare", help: "give a run that measured something",
        status: .unmeasured)
    }
    return whole
  }

  /// Reads a run; of merged shards, if they were measured on machines that are alike.
  private static func ofOneMachine(_ name: String) throws -> RunRecord {
    let record = try read(name)
    guard let unlike = record.unlikeShards.first else { return record }
    throw CLIError(
      "\(name) was measured on several machines, across which nothing ranks: \(unlike)",
      help: "rank each shard's own run, or show the whole: bench report \(name)",
      status: .failed)
  }

  private static func add(
    _ more: RunRecord, _ name: String, to whole: inout RunRecord, _ first: String
  ) throws {
    let found = Comparability(candidate: more, baseline: whole)
    guard found.comparesTimes else {
      throw refused(
        "\(name) and \(first) were not measured alike: "
          + found.machineDifferences.joined(separator: "; ")
          .replacing("baseline", with: first))
    }
    let prints = whole.fingerprints
    let unlike = more.menus.first { prints[$0.name] != nil && prints[$0.name] != $0.fingerprint }
    if let menu = unlike {
      throw refused("\(name) and \(first) mean different menus by '\(menu.name)'")
    }
    let cells = Set(whole.outcomes.map(\.cell) + whole.cells.map(\.cell))
    if let twice = more.cells.first(where: { cells.contains($0.cell) })?.cell {
      throw refused("\(name) and \(first) both measured \(twice)")
    }
    whole.menus += more.menus.filter { prints[$0.name] == nil }
    let ids = Set(whole.backends.map(\.id))
    whole.backends += more.backends.filter { !ids.contains($0.id) }
    // Before their cells are one: an older record does not say what decides.
    let workloads = [whole, more].flatMap { record in
      record.cells.map(\.cell.workload).distinct.map(record.workload)
    }
    whole.workloads = workloads.uniqued(on: \.id)
    whole.cells += more.cells
    whole.outcomes += more.outcomes
    whole.failures += more.failures
    let warning = "what was measured in runs of its own differs by the machine's moods, too"
    whole.warnings += more.warnings + (whole.warnings.contains(warning) ? [] : [warning])
  }

  private static func refused(_ reason: String) -> CLIError {
    CLIError(
      reason, help: "measure them side by side: bench compare --backend A,B", status: .failed)
  }
}
