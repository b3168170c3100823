import Basics
import BenchResults
import PersistenceBackends

/// Finds what was meant among valid choices, and says so when nothing was.
struct ValidNames {
  /// What is chosen, in the singular: `backend`.
  let kind: String
  /// The same in the plural; the kind with an s unless given.
  var plural: String?
  let ids: [String]

  static let metrics = ValidNames(kind: "metric", ids: Metric.all.map(\.id))
  static let durabilities = ValidNames(
    kind: "durability", plural: "durabilities", ids: Durability.allCases.map(\.rawValue))

  /// The ids of a list such as `json,sqlite` or `all`, in the order given, without repetition.
  func list(_ argument: String) throws -> [String] {
    if argument == "all" { return ids }
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    try Self.refuseAll(among: names)
    return try names.map(one).distinct
  }

  /// Refuses `all` beside other names: it is not clear which are meant.
  static func refuseAll(among names: [String]) throws {
    guard names.count > 1, names.contains("all") else { return }
    throw CLIError(
      "'all' stands beside \(names.filter { $0 != "all" }.joined(separator: ", "))",
      help: "give all by itself, or name those that you mean", status: .usage)
  }

  /// The id itself, if it is valid.
  func one(_ id: String) throws -> String {
    guard ids.contains(id) else { throw unknown(id) }
    return id
  }

  /// The one of several choices that has this id.
  static func choice<Choice>(
    _ kind: String, _ id: String, among choices: [Choice], by name: (Choice) -> String
  ) throws -> Choice {
    guard let choice = choices.first(where: { name($0) == id }) else {
      throw ValidNames(kind: kind, ids: choices.map(name)).unknown(id)
    }
    return choice
  }

  /// The case of an enum that has this raw value.
  static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ kind: String, _ id: String
  ) throws -> Choice {
    try choice(kind, id, among: Array(Choice.allCases), by: \.rawValue)
  }

  /// There is no such id: the nearest valid one and all of them.
  func unknown(_ id: String) -> CLIError {
    CLIError(
      id.isEmpty ? "an empty \(kind) name" : "unknown \(kind) '\(id)'", help: help(for: id),
      status: .usage)
  }

  /// The nearest valid id to one that is not, and all of them.
  func help(for id: String) -> String {
    NearestMatch.hint(id, among: ids)
      + "\(plural ?? kind + "s"): \(ids.joined(separator: ", "))"
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// Every choice as it is typed, with commas.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
