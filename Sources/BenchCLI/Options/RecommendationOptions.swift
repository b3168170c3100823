import ArgumentParser
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchResults
import PersistenceBackends

/// The criteria for recommending a backend, as typed.
struct RecommendationOptions: ParsableArguments {
  @Option(
    name: .customLong("for"),
    help: """
      Recommend a backend for a need: refresh, launch, catalogue, offline or frequent-updates. \
      (default: one for each)
      """)
  var need: String?

  @Option(
    help: "Recommend a backend by your weights: first-menu=3,roundtrip/load=1,stored_bytes=1.")
  var weight: String?

  @Option(help: "Promises that a recommended backend must keep: durable,partial-read.")
  var require: String?

  @Flag(help: "Also recommend backends that keep nothing after a restart.")
  var rankVolatile = false

  @Option(
    help: """
      Being faster than this time counts little. 0 counts every difference in full. (default: 8ms)
      """)
  var goodEnough: String?

  /// Whether a need was named, or weights given.
  var namesOne: Bool { need != nil || weight != nil }

  /// Returns the question that was asked, or one for every need.
  func questions<Document>(in suite: Suite<Document>) throws -> [Criteria] {
    let required = try require.map {
      try ValidNames(kind: "promise", ids: BackendPromise.allCases.map(\.rawValue)).list($0)
    }
    let needs = suite.source.needs
    let need = try need.map { try ValidNames.choice("need", $0, among: needs, by: \.id) }
    let own = try weight.map { try WeightParser(suite: suite).weights($0) }
    if need != nil, own != nil {
      throw CLIError(
        "--for and --weight cannot be combined",
        help: "give one of them. The report of a need shows its weights", status: .usage)
    }
    let threshold = try goodEnough.map(GoodEnough.init(typed:)) ?? .usual
    let asked =
      own.map { [Criteria(weights: $0)] } ?? (need.map { [$0] } ?? needs).map(Criteria.init)
    return asked.map { criteria in
      var criteria = criteria
      criteria.required = required ?? []
      criteria.takesVolatile = rankVolatile
      criteria.goodEnough = threshold
      return criteria
    }
  }
}

extension GoodEnough {
  /// Parses a time such as `16ms`, or `0`.
  init(typed: String) throws {
    guard let time = typed == "0" ? 0 : Metric.wall.unit.amount(typed),
      let threshold = GoodEnough(nanoseconds: time)
    else {
      throw CLIError(
        "--good-enough '\(typed)' is not a time from 0 to 60 s",
        help: "give a time and unit (ns, us, ms or s), such as 16ms. 0 counts every difference",
        status: .usage)
    }
    self = threshold
  }
}

/// Parses weights such as `first-menu=3,roundtrip/load=1,stored_bytes=1`, and checks their keys.
struct WeightParser<Document: BenchDocument> {
  let suite: Suite<Document>

  /// Returns the weights in the order typed.
  func weights(_ typed: String) throws -> [Weight] {
    let weights = try typed.split(separator: ",", omittingEmptySubsequences: false)
      .map { try weight(String($0)) }
    for (index, weight) in weights.enumerated()
    where weights.prefix(index).contains(where: { $0.key == weight.key }) {
      throw CLIError(
        "--weight has '\(weight.key)' twice", help: "give each key once", status: .usage)
    }
    return weights
  }

  /// Parses a weight after the last `=`, since a key may contain one, as in `patch:changes=10`.
  private func weight(_ typed: String) throws -> Weight {
    guard let place = typed.lastIndex(of: "=") else {
      throw CLIError(
        "--weight '\(typed)' has no number", help: "give one: \(typed)=1", status: .usage)
    }
    let key = try key(String(typed[..<place]))
    let number = String(typed[typed.index(after: place)...])
    guard let value = try? Double.typed(number), Weight.valid.contains(value) else {
      throw CLIError(
        "the weight '\(number)' of \(key) is not a number from \(Weight.validText)",
        help: "give how much it counts relative to the others, or leave it out",
        status: .usage)
    }
    return Weight(key, value)
  }

  private func key(_ typed: String) throws -> CostKey {
    let parts = typed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1 else { return try single(typed) }
    let workload = try workload(parts[0], ValidNames(kind: "workload", ids: names))
    let phases = workload.phases.map(\.id)
    let costs = workload.info.deciding(phases)
    guard parts.count > 2 else {
      let names = costs.map(\.name)
      if phases.contains(parts[1]), !names.contains(parts[1]) {
        throw Self.noCost(parts[1], of: workload.name, names)
      }
      let choice = ValidNames(kind: "cost of \(workload.name)", plural: "costs", ids: names)
      return .cost(workload: workload.id, name: try choice.one(parts[1]))
    }
    let phase = try ValidNames(kind: "phase of \(workload.name)", plural: "phases", ids: phases)
      .one(parts[1])
    let metric = try ValidNames.metrics.one(parts.dropFirst(2).joined(separator: "/"))
    let isDuration = Metric.all.contains { $0.id == metric && $0.unit == .nanoseconds }
    if isDuration, !costs.contains(where: { $0.phases == [phase] }) {
      throw Self.noCost(phase, of: workload.name, costs.map(\.name))
    }
    return .figure(workload: workload.id, phase: phase, metric: metric)
  }

  /// Explains why a phase's time cannot be weighed if it is only a part of a cost, or of none.
  private static func noCost(_ phase: String, of workload: String, _ costs: [String]) -> CLIError {
    CLIError(
      "'\(phase)' is a phase of \(workload), and the work in a phase differs between backends",
      help: "weigh a cost of \(workload): \(costs.joined(separator: ", "))", status: .usage)
  }

  /// Finds a metric or a workload.
  private func single(_ typed: String) throws -> CostKey {
    let metrics = ValidNames.metrics.ids
    // A metric alone is measured on the round trip, which does not have these.
    let partial: [Metric] = [
      .touchedBytes, .usefulBytes, .persistenceShare, .tornReads, .utilisation, .missedFrames,
      .residentShare,
    ]
    if partial.contains(where: { $0.id == typed }) {
      throw CLIError(
        "only some phases have '\(typed)'", help: "name a phase: WORKLOAD/PHASE/\(typed)",
        status: .usage)
    }
    if metrics.contains(typed) { return .metric(typed) }
    let choice = ValidNames(
      kind: "key of a weight", plural: "workloads and metrics", ids: names + metrics)
    return .workload(try workload(typed, choice).id)
  }

  private func workload(
    _ typed: String, _ choice: ValidNames
  ) throws -> any Workload<Document> {
    let name = WorkloadInfo.name(of: typed)
    guard names.contains(name) else {
      _ = try choice.one(name)
      throw CLIError("'\(name)' is not a workload", help: choice.help(for: name), status: .usage)
    }
    return try suite.workloads(named: typed)[0]
  }

  private var names: [String] { suite.workloads.map(\.name) }
}
