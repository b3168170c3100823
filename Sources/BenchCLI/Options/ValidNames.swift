import Basics
import BenchResults
import PersistenceBackends

/// Finds a name among valid ones, and lists these if it is unknown.
struct ValidNames {
  /// The kind of the names, in the singular: `backend`.
  let kind: String
  /// The kind in the plural, by default with an s.
  var plural: String?
  let ids: [String]

  static let metrics = ValidNames(kind: "metric", ids: Metric.all.map(\.id))
  static let durabilities = ValidNames(
    kind: "durability", plural: "durabilities", ids: Durability.allCases.map(\.rawValue))

  /// Returns the ids of a list such as `json,sqlite` or `all`, in the order given, without repetition.
  func list(_ argument: String) throws -> [String] {
    if argument == "all" { return ids }
    return try Self.split(argument).map(one).distinct
  }

  /// Returns the names of a list. Refuses `all` among others, since it is not clear what is meant.
  static func split(_ argument: String) throws -> [String] {
    let names = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard names.count > 1, names.contains("all") else { return names }
    throw CLIError(
      "'all' cannot be combined with \(names.filter { $0 != "all" }.joined(separator: ", "))",
      help: "give 'all' alone, or only the names that you mean", status: .usage)
  }

  /// Returns the id if it is valid.
  func one(_ id: String) throws -> String {
    guard ids.contains(id) else { throw unknown(id) }
    return id
  }

  /// Returns the choice that has this id.
  static func choice<Choice>(
    _ kind: String, _ id: String, among choices: [Choice], by name: (Choice) -> String
  ) throws -> Choice {
    guard let choice = choices.first(where: { name($0) == id }) else {
      throw ValidNames(kind: kind, ids: choices.map(name)).unknown(id)
    }
    return choice
  }

  /// Returns the case of an enum that has this raw value.
  static func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ kind: String, _ id: String
  ) throws -> Choice {
    try choice(kind, id, among: Array(Choice.allCases), by: \.rawValue)
  }

  /// The error for an unknown id, with the most similar one and all valid ones.
  func unknown(_ id: String) -> CLIError {
    CLIError(
      id.isEmpty ? "an empty \(kind) name" : "unknown \(kind) '\(id)'", help: help(for: id),
      status: .usage)
  }

  /// Suggests the valid id that is most similar, and lists all of them.
  func help(for id: String) -> String {
    NearestMatch.hint(id, among: ids)
      + "\(plural ?? kind + "s"): \(ids.joined(separator: ", "))"
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// All choices as they are typed, separated by commas.
  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
