import Basics
import BenchDocuments

/// A setting of a workload on the command line.
public struct WorkloadParameter<W: Workload>: Sendable {
  /// The name, such as `changes` in `patch:changes=100`.
  public let name: String
  /// The meaning and the unit.
  public let summary: String
  /// The default value: that of the workload in the registry.
  public let standard: String
  /// A description of the valid values.
  public let values: String
  private let read: @Sendable (W) -> String
  /// Sets a workload's value from a text. Returns false if the text is not a valid value.
  private let write: @Sendable (String, inout W) -> Bool

  /// Makes a setting for a whole number in a range.
  public init(
    _ name: String, _ slot: any WritableKeyPath<W, Int> & Sendable, in range: ClosedRange<Int>,
    standard: Int, _ summary: String
  ) {
    self.init(
      name, slot, "\(range.lowerBound) to \(range.upperBound)", standard: standard, summary,
      text: { String($0) }, value: { text in Int(text).flatMap { range.contains($0) ? $0 : nil } })
  }

  /// Makes a setting for a text, such as a backend's id.
  public init(
    _ name: String, _ slot: any WritableKeyPath<W, String> & Sendable, standard: String,
    _ summary: String
  ) {
    self.init(
      name, slot, "a name", standard: standard, summary,
      text: { $0 }, value: { $0.isEmpty ? nil : $0 })
  }

  /// Makes a setting for one of a few choices.
  public init<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ slot: any WritableKeyPath<W, Choice> & Sendable, standard: Choice,
    _ summary: String
  ) {
    self.init(
      name, slot, Choice.allCases.map(\.rawValue).joined(separator: "|"), standard: standard,
      summary, text: { $0.rawValue }, value: { Choice(rawValue: $0) })
  }

  /// - Parameter value: parses a text; returns nil if it is not a valid value.
  private init<Value>(
    _ name: String, _ slot: any WritableKeyPath<W, Value> & Sendable, _ values: String,
    standard: Value, _ summary: String, text: @escaping @Sendable (Value) -> String,
    value: @escaping @Sendable (String) -> Value?
  ) {
    self.name = name
    self.summary = summary
    self.standard = text(standard)
    self.values = values
    read = { text($0[keyPath: slot]) }
    write = { typed, workload in
      guard let value = value(typed) else { return false }
      workload[keyPath: slot] = value
      return true
    }
  }

  func value(of workload: W) -> String { read(workload) }

  /// Sets the value; throws ``WorkloadNameError`` if the text is not a valid value.
  func set(_ text: String, of workload: inout W) throws {
    guard !write(text, &workload) else { return }
    let fault =
      text.isEmpty
      ? "\(workload.name):\(name) has no value"
      : "'\(text)' is not a value of \(workload.name):\(name)"
    throw WorkloadNameError(description: fault, choices: ["\(name)=\(values)"])
  }
}

/// An unknown workload name, or a setting that is unknown or invalid.
package struct WorkloadNameError: UserFacingError, Hashable, CustomStringConvertible {
  package let description: String
  package let choices: [String]
  /// The unknown workload name, or nil if a setting is wrong.
  var unknown: String?

  package var help: String? {
    let all = choices.joined(separator: ", ")
    guard let unknown else { return all.isEmpty ? "it has no settings" : "settings: \(all)" }
    return NearestMatch.hint(unknown, among: choices) + "workloads: \(all)"
  }

  package var kind: FailureKind { .usage }
}

extension Workload {
  /// The id in cells: the name with every parameter that differs from its default, as in `patch:changes=100`.
  package var id: String {
    let set = Self.parameters.filter { $0.value(of: self) != $0.standard }
    guard !set.isEmpty else { return name }
    return name + ":" + set.map { "\($0.name)=\($0.value(of: self))" }.joined(separator: ",")
  }

  /// Returns a copy with settings such as `changes=100,seed=7`; throws ``WorkloadNameError``.
  func with(_ settings: String) throws -> Self {
    var workload = self
    for setting in settings.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2, let parameter = Self.parameters.first(where: { $0.name == parts[0] })
      else {
        throw WorkloadNameError(
          description: "\(name) has no setting '\(setting)'",
          choices: Self.parameters.map { "\($0.name)=\($0.values)" })
      }
      try parameter.set(parts[1], of: &workload)
    }
    return workload
  }

  /// Returns the variants that `--workload all` runs; throws ``WorkloadNameError`` if a variant is invalid.
  func all() throws -> [any Workload<Document>] {
    try Self.variants.map { $0.isEmpty ? self : try with($0) }
  }
}
