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
    /// About so many machine instructions.
    case instructions(Int)
  }
}
