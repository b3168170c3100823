import BenchDocuments

/// What can be set of a workload on the command line.
public struct WorkloadParameter<W: Workload>: Sendable {
  /// Its name: `changes` of `patch:changes=100`.
  public let name: String
  /// What it means, and in what unit.
  public let summary: String
  /// The value unless set: that of the workload in the registry.
  public let standard: String
  /// The values that can be given, in words.
  public let values: String
  private let read: @Sendable (W) -> String
  /// Whether the text is a value, which the workload then has.
  private let write: @Sendable (String, inout W) -> Bool

  /// A whole number within a range.
  public init(
    _ name: String, _ slot: any WritableKeyPath<W, Int> & Sendable, in range: ClosedRange<Int>,
    standard: Int, _ summary: String
  ) {
    self.name = name
    self.summary = summary
    self.standard = String(standard)
    values = "\(range.lowerBound) to \(range.upperBound)"
    read = { String($0[keyPath: slot]) }
    write = { text, workload in
      guard let number = Int(text), range.contains(number) else { return false }
      workload[keyPath: slot] = number
      return true
    }
  }

  /// A text, such as a backend's id.
  public init(
    _ name: String, _ slot: any WritableKeyPath<W, String> & Sendable, standard: String,
    _ summary: String
  ) {
    self.name = name
    self.summary = summary
    self.standard = standard
    values = "a name"
    read = { $0[keyPath: slot] }
    write = { text, workload in
      guard !text.isEmpty else { return false }
      workload[keyPath: slot] = text
      return true
    }
  }

  /// One of a few choices.
  public init<Choice: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ slot: any WritableKeyPath<W, Choice> & Sendable, standard: Choice,
    _ summary: String
  ) {
    self.name = name
    self.summary = summary
    self.standard = standard.rawValue
    values = Choice.allCases.map(\.rawValue).joined(separator: "|")
    read = { $0[keyPath: slot].rawValue }
    write = { text, workload in
      guard let choice = Choice(rawValue: text) else { return false }
      workload[keyPath: slot] = choice
      return true
    }
  }

  func value(of workload: W) -> String { read(workload) }

  /// Sets the value, if it can be one; throws ``WorkloadNameError`` where it cannot.
  func set(_ text: String, of workload: inout W) throws {
    guard !write(text, &workload) else { return }
    let fault =
      text.isEmpty
      ? "\(workload.name):\(name) has no value"
      : "'\(text)' is no value of \(workload.name):\(name)"
    throw WorkloadNameError(fault, choices: ["\(name)=\(values)"])
  }
}

/// A workload's name that means nothing, or a setting that it has not.
package struct WorkloadNameError: Error, Hashable, CustomStringConvertible {
  package let description: String
  package let choices: [String]
  /// The name that no workload has; nil where a setting is wrong.
  package let unknown: String?

  init(_ description: String, choices: [String], unknown: String? = nil) {
    self.description = description
    self.choices = choices
    self.unknown = unknown
  }
}

extension Workload {
  /// Its name with every parameter that is not at its default: `patch:changes=100`. The id of its
  /// cells.
  package var id: String {
    let set = Self.parameters.filter { $0.value(of: self) != $0.standard }
    guard !set.isEmpty else { return name }
    return name + ":" + set.map { "\($0.name)=\($0.value(of: self))" }.joined(separator: ",")
  }

  /// The workload with settings such as `changes=100,seed=7`; throws ``WorkloadNameError``.
  func with(_ settings: String) throws -> Self {
    var workload = self
    for setting in settings.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        .map(String.init)
      guard parts.count == 2, let parameter = Self.parameters.first(where: { $0.name == parts[0] })
      else {
        throw WorkloadNameError(
          "\(name) has no setting '\(setting)'",
          choices: Self.parameters.map { "\($0.name)=\($0.values)" })
      }
      try parameter.set(parts[1], of: &workload)
    }
    return workload
  }

  /// What `--workload all` runs of it; throws ``WorkloadNameError`` where a variant is none.
  func all() throws -> [any Workload<Document>] {
    try Self.variants.map { $0.isEmpty ? self : try with($0) }
  }
}
