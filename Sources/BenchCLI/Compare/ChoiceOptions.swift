import ArgumentParser
import BenchAnalysis
import BenchHarness
import PersistenceBackends

/// What a storage is to be chosen by, as typed.
struct ChoiceOptions: ParsableArguments {
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
  func question<Document>(in suite: Suite<Document>) throws -> ChoiceQuestion? {
    let required = try require.map {
      try Choice(kind: "promise", ids: StoragePromise.allCases.map(\.rawValue)).list($0)
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
    return ChoiceQuestion(
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
