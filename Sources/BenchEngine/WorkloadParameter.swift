import MenuModel

/// What can be set of a workload on the command line.
public struct WorkloadParameter<W: Workload>: Sendable {
  /// Its name: `changes` of `patch:changes=100`.
  public let name: String
  /// What it means, and in what unit.
  public let summary: String
  /// The value unless set: that of the workload in the registry.
  public let standard: String
  private let slot: Slot

  private enum Slot: Sendable {
    case number(any WritableKeyPath<W, Int> & Sendable, ClosedRange<Int>)
    case text(any WritableKeyPath<W, String> & Sendable)
  }

  /// A whole number within a range.
  public init(
    _ name: String, _ slot: any WritableKeyPath<W, Int> & Sendable, in range: ClosedRange<Int>,
    standard: Int, _ summary: String
  ) {
    self.name = name
    self.summary = summary
    self.standard = String(standard)
    self.slot = .number(slot, range)
  }

  /// A text, such as a backend's id.
  public init(
    _ name: String, _ slot: any WritableKeyPath<W, String> & Sendable, standard: String,
    _ summary: String
  ) {
    self.name = name
    self.summary = summary
    self.standard = standard
    self.slot = .text(slot)
  }

  /// The values that can be given, in words.
  public var values: String {
    switch slot {
    case .number(_, let range): "\(range.lowerBound) to \(range.upperBound)"
    case .text: "a name"
    }
  }

  /// The value that a workload has.
  func value(of workload: W) -> String {
    switch slot {
    case .number(let path, _): String(workload[keyPath: path])
    case .text(let path): workload[keyPath: path]
    }
  }

  /// Sets the value, if it can be one.
  ///
  /// - Throws: ``WorkloadNameError`` where it cannot.
  func set(_ text: String, of workload: inout W) throws {
    switch slot {
    case .number(let path, let range):
      guard let number = Int(text), range.contains(number) else {
        throw WorkloadNameError(
          "'\(text)' is no value of \(workload.name):\(name)", choices: ["\(name)=\(values)"])
      }
      workload[keyPath: path] = number
    case .text(let path):
      guard !text.isEmpty else {
        throw WorkloadNameError(
          "\(workload.name):\(name) has no value", choices: ["\(name)=\(values)"])
      }
      workload[keyPath: path] = text
    }
  }
}

/// A workload's name that means nothing, or a setting that it has not.
package struct WorkloadNameError: Error, Hashable, CustomStringConvertible {
  /// What is wrong.
  package let description: String
  /// What would be right.
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

  /// The workload with settings such as `changes=100,seed=7`.
  ///
  /// - Throws: ``WorkloadNameError``.
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

  /// What `--workload all` runs of it.
  ///
  /// - Throws: ``WorkloadNameError`` where a variant is none.
  func all() throws -> [any Workload<Document>] {
    try Self.variants.map { $0.isEmpty ? self : try with($0) }
  }
}
