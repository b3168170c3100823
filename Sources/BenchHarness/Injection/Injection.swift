/// Work added to a phase on purpose, so that a gate can be seen to find it.
public struct Injection: Hashable, Codable, Sendable {
  /// The backend's id; nil for every backend.
  public var backend: String?
  /// The phase's id.
  public var phase: String
  /// What is added each time the phase runs.
  public var cost: Cost

  /// Makes an injection.
  public init(backend: String? = nil, phase: String, cost: Cost) {
    self.backend = backend
    self.phase = phase
    self.cost = cost
  }

  /// What can be added.
  public enum Cost: Hashable, Codable, Sendable {
    /// A part of the phase's own time: 0.05 makes it 5 % slower.
    case slowdown(Double)
    /// So many allocations of 16 bytes, freed at once.
    case allocations(Int)
    /// About so many machine instructions; see `AddedWork` for how exactly.
    case instructions(Int)
  }
}

extension Injection: CustomStringConvertible {
  /// The text that ``init(parsing:)`` reads: `json/decode:slowdown=5.0%`.
  public var description: String { "\(backend.map { $0 + "/" } ?? "")\(phase):\(cost)" }
}

extension Injection.Cost: CustomStringConvertible {
  /// The text that ``Injection/init(parsing:)`` reads after the colon.
  public var description: String {
    switch self {
    case .slowdown(let part): "slowdown=\(part * 100)%"
    case .allocations(let count): "allocations=\(count)"
    case .instructions(let count): "instructions=\(count)"
    }
  }
}
