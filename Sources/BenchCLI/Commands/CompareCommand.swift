import ArgumentParser
import BenchAnalysis
import BenchEngine
import MenuWorkloads
import RevisionBuild
import BenchProbes
import BenchReports
import BenchResults
import MenuModel
import PersistenceBackends

/// `bench compare`: storages side by side, and which to take.
struct CompareCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "compare",
      abstract: "Sets storages side by side, and recommends one for what you need.",
      discussion: "Example: bench compare --menu medium --for launch --require durable")
  }

  @OptionGroup(title: "What to measure") var selection: CompareSelection
  @OptionGroup(title: "What to recommend") var recommendation: RecommendationOptions
  @OptionGroup(title: "How long and where") var limits: Limits

  @Option(
    name: .customLong("run"),
    help: "Stored runs to set side by side instead of measuring: RUN.json[,RUN.json].")
  var storedRuns: String?

  @Option(help: "table, markdown or csv.")
  var format = DocumentFormat.table.rawValue

  @Option(help: "The folder for run.json, compare.md, report.csv and report.md.")
  var out = "Reports/latest"

  @Flag(help: "Measure a debug build all the same; its figures say nothing about an app.")
  var allowDebug = false

  func run() async throws {
    let id = try Choice(kind: "format", ids: DocumentFormat.allCases.map(\.rawValue)).one(format)
    let format = DocumentFormat(rawValue: id) ?? .table
    let criteria = try recommendation.criteria(in: App.suite)
    if let storedRuns {
      try StoredComparison.refuseMeasuring(selection.given, limits)
      let record = try StoredComparison.read(storedRuns)
      let report = RecommendationReport(record: record, criteria: criteria, needs: Need.all)
      try show(report, as: format)
      return try checkIsAnswered(report)
    }
    try Build.refuseDebug(unless: allowDebug)
    try limits.check()
    try await measure(ComparePlan(selection, criteria, in: App.suite), criteria, as: format)
  }

  private func measure(
    _ plan: ComparePlan<App.Document>, _ criteria: Criteria?, as format: DocumentFormat
  ) async throws {
    let measuring = SideBySide(
      chosen: plan.chosen, limits: limits, budget: plan.budget(limits), out: out)
    let report = try await measuring.measure { record, folder in
      let report = RecommendationReport(
        record: record, criteria: criteria, needs: Need.all, sizeNote: plan.sizeNote)
      // Files first: a terminal or pipe that fails must not cost what was measured.
      let page = (name: "compare.md", text: DocumentFormat.markdown.render(report))
      let saved = Result { try folder.keep(report.run, as: App.reporters, and: [page]) }
      try show(report, as: format)
      Console.note(try saved.get())
      return report
    }
    try checkIsAnswered(report)
  }

  private func show(_ report: RecommendationReport, as format: DocumentFormat) throws {
    try Console.output(format.render(report, width: Console.outputWidth))
  }

  /// A question of which nothing was measured has no answer.
  private func checkIsAnswered(_ report: RecommendationReport) throws {
    guard let answer = report.answer, answer.weighted.isEmpty else { return }
    let keys = answer.uncounted.map(\.weight.key.description).joined(separator: ", ")
    throw CLIError(
      "nothing that counts was measured: \(keys)",
      help: "see bench list workloads, and measure what counts with --workload",
      status: .unmeasured)
  }
}

/// What a storage is to be chosen by, as typed.
struct RecommendationOptions: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: "Recommend one for a need: launch, catalogue, offline or frequent-updates.")
  var need: String?

  @Option(
    help: "Recommend one by weights of your own: first-menu=3,roundtrip/save=1,stored_bytes=1.")
  var weight: String?

  @Option(help: "Promises without which none is recommended: durable,partial-read.")
  var require: String?

  @Flag(help: "Recommend what keeps nothing after a restart, too.")
  var rankVolatile = false

  /// The question; nil where nothing was asked.
  ///
  /// - Throws: a ``CLIError`` of status `usage` for a name that there is not.
  func criteria<Document>(in suite: Suite<Document>) throws -> Criteria? {
    let required = try require.map {
      try Choice(kind: "promise", ids: BackendPromise.allCases.map(\.rawValue)).list($0)
    }
    let need = try need.map(Self.need)
    let own = try weight.map { try WeightParser(suite).weights($0) }
    if need != nil, own != nil {
      throw CLIError(
        "--for and --weight are two answers to one question",
        help: "give one of them; a need's weights are in its report", status: .usage)
    }
    guard let weights = need?.weights ?? own else {
      guard required == nil, !rankVolatile else { throw Self.aimless }
      return nil
    }
    return Criteria(
      need: need?.id, weights: weights, required: required ?? [], takesVolatile: rankVolatile)
  }

  private static func need(_ id: String) throws -> Need {
    let known = try Choice(kind: "need", ids: Need.all.map(\.id)).one(id)
    return Need.all.first { $0.id == known } ?? .launch
  }

  private static let aimless = CLIError(
    "--require and --rank-volatile say what may be recommended, and nothing is asked",
    help: "add --for \(Need.all.map(\.id).joined(separator: "|")), or --weight", status: .usage)
}

/// What a comparison measures, and for how long.
struct ComparePlan<Document: BenchDocument> {
  /// Everything to measure; the menus asked for come first.
  let chosen: Selection.Chosen<Document>
  /// Why one size alone is measured, in words; nil where that needs none.
  let sizeNote: String?

  /// Seconds that a comparison takes unless told: with reports it then ends within ten minutes.
  private static var usualBudget: Double { 540 }

  /// Plans it. Where something is to be recommended the time goes to what counts: all else is timed
  /// once. Counts are taken of what is weighed, and of the two workloads that tell sizes.
  init(
    _ typed: CompareSelection, _ criteria: Criteria?, in suite: Suite<Document>
  ) throws {
    let selection = typed.selection
    var chosen = try selection.resolve(in: suite)
    guard let criteria else {
      chosen.cells = chosen.cells.map(\.lean)
      (self.chosen, sizeNote) = (chosen, nil)
      return
    }
    let weighed = OtherSizes<Document>.workloads(
      of: criteria, among: chosen.cells.map(\.cell.workload))
    chosen.cells = chosen.cells.map {
      weighed.contains($0.cell.workload) ? $0 : $0.lean.with(mostBlocks: 1)
    }
    if typed.oneSize {
      sizeNote = "--one-size was given"
    } else {
      let others = try OtherSizes(of: selection, chosen: chosen, for: criteria, in: suite)
      chosen.cells += others.cells.map { $0.lean.with(mostBlocks: Lead.fewestBlocks).last }
      chosen.menus += others.menus
      sizeNote = others.note
    }
    self.chosen = chosen
  }

  /// Seconds that measuring may take; nil for no end.
  func budget(_ limits: Limits) -> Double? {
    limits.budget ?? (limits.blocks == nil ? Self.usualBudget : nil)
  }
}

extension PlannedCell {
  /// The cell with counts of nothing but sizes: of a whole menu stored, and of one stored often.
  fileprivate var lean: PlannedCell {
    var cell = self
    cell.isTimedOnly = !["roundtrip", "replace"].contains(WorkloadInfo.name(of: cell.cell.workload))
    return cell
  }

  /// The cell of another size, which goes on once the one that was asked about has an interval.
  fileprivate var last: PlannedCell {
    var cell = self
    cell.waits = Statistics.fewestForMedianInterval
    return cell
  }

  /// The cell with so many timed blocks at most.
  fileprivate func with(mostBlocks: Int) -> PlannedCell {
    var cell = self
    cell.mostBlocks = mostBlocks
    return cell
  }
}

/// What to set side by side, as typed; nil where nothing was.
struct CompareSelection: ParsableArguments {
  @Option(help: "Backends, or all: see bench list backends. (default: all)")
  var backend: String?

  @Option(
    help: """
      Menus; of a generated one alone a smaller and a larger are measured too, where something is \
      to be recommended. (default: large)
      """)
  var menu: String?

  @Option(help: "Workloads, or all: see bench list workloads. (default: all)")
  var workload: String?

  @Option(help: "none, atomic or durable. (default: each workload's own)")
  var durability: String?

  @Flag(help: "Measure no other sizes of the menu.")
  var oneSize = false

  /// What to measure, with the defaults filled in.
  var selection: Selection {
    var selection = Selection()
    selection.backend = backend ?? "all"
    selection.menu = menu ?? "large"
    selection.workload = workload ?? "all"
    selection.durability = durability
    selection.metrics = "all"
    return selection
  }

  /// The options given that only make sense for measuring.
  var given: [String] {
    let options = [
      ("--backend", backend), ("--menu", menu), ("--workload", workload),
      ("--durability", durability), ("--one-size", oneSize ? "" : nil),
    ]
    return options.filter { $0.1 != nil }.map(\.0)
  }
}

/// Measuring for `compare` and `scale`, which set storages side by side.
struct SideBySide<Document: BenchDocument> {
  /// What to measure.
  let chosen: Selection.Chosen<Document>
  /// The limits, as typed.
  let limits: Limits
  /// Seconds that measuring may take; nil for no end.
  let budget: Double?
  /// The folder that reports go to.
  let out: String

  /// Seconds for which a timed block samples: more blocks say more of processes than longer ones.
  private static var blockSeconds: Double { 0.1 }

  /// Measures, and has the record analysed, kept and shown.
  ///
  /// - Throws: a ``CLIError`` of status `unmeasured` after that, where a cell could not be measured.
  func measure<Analysis>(
    _ finish: (RunRecord, OutputFolder) throws -> Analysis
  ) async throws -> Analysis {
    let folder = try OutputFolder(out)
    let storage = try Storage(
      in: limits.workers.storage ?? out, durabilities: chosen.durabilities)
    defer { storage.remove() }
    let session = Session(
      plan: runPlan(in: storage),
      record: await .empty(for: chosen, limits, budget: budget, storage),
      folder: folder, precision: limits.precision)
    let record = await session.measure()
    let analysis = try finish(record, folder)
    storage.remove()
    session.reraiseInterruption()
    try record.checkIsMeasured()
    return analysis
  }

  private func runPlan(in storage: Storage) -> RunPlan {
    RunPlan(
      cells: chosen.cells, blocks: limits.blocks, countedBlocks: 1, budgetSeconds: budget,
      sampling: Sampling(seconds: Self.blockSeconds), memoryLimit: limits.workers.memoryBytes,
      timeout: limits.workers.timeout, storage: storage.path, seed: limits.workers.anySeed)
  }
}

/// Reads weights such as `first-menu=3,roundtrip/save=1,stored_bytes=1`, and checks their keys.
struct WeightParser<Document: BenchDocument> {
  private let suite: Suite<Document>

  init(_ suite: Suite<Document>) {
    self.suite = suite
  }

  /// The weights, in the order typed.
  ///
  /// - Throws: a ``CLIError`` of status `usage` for a key that there is not, one given twice, or a
  ///   weight that is no number above 0.
  func weights(_ typed: String) throws -> [Weight] {
    let weights = try typed.split(separator: ",", omittingEmptySubsequences: false)
      .map { try weight(String($0)) }
    for (index, weight) in weights.enumerated()
    where weights.prefix(index).contains(where: { $0.key == weight.key }) {
      throw CLIError(
        "--weight names \(weight.key) twice", help: "give each key once", status: .usage)
    }
    return weights
  }

  /// A key may hold `=` itself, as `patch:changes=10` does: the weight is behind the last one.
  private func weight(_ typed: String) throws -> Weight {
    guard let place = typed.lastIndex(of: "=") else {
      throw CLIError(
        "--weight '\(typed)' has no number", help: "for example \(typed)=1", status: .usage)
    }
    let key = try key(String(typed[..<place]))
    let number = String(typed[typed.index(after: place)...])
    guard let value = Double(number), value > 0, value.isFinite else {
      throw CLIError(
        "the weight '\(number)' of \(key) is no number above 0",
        help: "give how much it counts against the others; leave it out if it does not",
        status: .usage)
    }
    return Weight(key, value)
  }

  private func key(_ typed: String) throws -> CostKey {
    let parts = typed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return try single(typed) }
    let workload = try workload(parts[0], Choice(kind: "workload", ids: names))
    let phases = workload.phases.map(\.id)
    guard parts.count > 2 else {
      let costs = workload.info.deciding(phases).map(\.name)
      let valid = costs + phases.filter { !costs.contains($0) }
      let choice = Choice(
        kind: "cost of \(workload.name)", plural: "costs and phases", ids: valid)
      return .cost(workload: workload.id, name: try choice.one(parts[1]))
    }
    let phase = try Choice(kind: "phase of \(workload.name)", plural: "phases", ids: phases)
      .one(parts[1])
    let metric = try Choice(kind: "metric", ids: metrics)
      .one(parts.dropFirst(2).joined(separator: "/"))
    return .figure(workload: workload.id, phase: phase, metric: metric)
  }

  /// A metric, or a workload.
  private func single(_ typed: String) throws -> CostKey {
    if metrics.contains(typed) { return .metric(typed) }
    let choice = Choice(
      kind: "key of a weight", plural: "workloads and metrics", ids: names + metrics)
    return .workload(try workload(typed, choice).id)
  }

  private func workload(
    _ typed: String, _ choice: Choice
  ) throws -> any Workload<Document> {
    let name = WorkloadInfo.name(of: typed)
    guard names.contains(name) else {
      _ = try choice.one(name)
      throw CLIError("a weight needs a workload", help: choice.help(for: name), status: .usage)
    }
    let found = try suite.workloads(typed: typed)
    return found[0]
  }

  private var names: [String] { suite.workloads.map(\.name) }
  private var metrics: [String] { Metric.all.map(\.id) }
}
