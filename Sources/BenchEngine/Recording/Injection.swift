import Basics
import BenchProbes

/// Work that is added to a phase to test whether a gate finds it.
package struct Injection: Hashable, Codable, Sendable {
  /// The backend's id, or nil for all backends.
  package var backend: String?
  package var phase: String
  /// The work that is added each time the phase runs.
  package var cost: Cost

  /// An injection of the same length that matches no backend, for the program without an injection.
  ///
  /// A worker keeps its request on the heap, where its length changes Callgrind's counts of other
  /// phases by a thousandth.
  var placebo: Self {
    Self(
      backend: backend.map { String(repeating: "-", count: $0.utf8.count) }, phase: phase,
      cost: cost)
  }

  package enum Cost: Hashable, Codable, Sendable {
    /// A share of the phase's own time: 0.05 makes it 5 % slower.
    case slowdown(Double)
    /// A number of allocations of 16 bytes, freed at once.
    case allocations(Int)
    /// An approximate number of machine instructions. `AddedWork` says how exact it is.
    case instructions(Int)
  }
}

extension Injection: CustomStringConvertible {
  /// The text that ``init(parsing:)`` reads, such as `json/decode:slowdown=5.0%`.
  package var description: String { "\(backend.map { $0 + "/" } ?? "")\(phase):\(cost)" }
}

extension Injection.Cost: CustomStringConvertible {
  /// The text that ``Injection/init(parsing:)`` reads after the colon.
  package var description: String {
    switch self {
    case .slowdown(let part): "slowdown=\(part * 100)%"
    case .allocations(let count): "allocations=\(count)"
    case .instructions(let count): "instructions=\(count)"
    }
  }
}

extension Injection {
  /// Parses `[BACKEND/]PHASE:slowdown=5%`, `…:allocations=1` or `…:instructions=5000`.
  ///
  /// - Throws: ``InjectionError`` if the text has another form. The worker checks whether the
  ///   backend and the phase exist.
  package init(parsing text: String) throws(InjectionError) {
    guard let colon = text.lastIndex(of: ":") else { throw .form(text) }
    let place = text[..<colon].split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(place.count), !place.contains(""), let phase = place.last else {
      throw .form(text)
    }
    self.init(
      backend: place.count == 2 ? String(place[0]) : nil, phase: String(phase),
      cost: try Cost(parsing: text[text.index(after: colon)...], of: text))
  }
}

extension Injection.Cost {
  static let names = ["slowdown", "allocations", "instructions"]

  /// The largest amount of each cost. With more, the worker would seem to hang.
  private static let most = (slowdown: 100.0, allocations: 1_000_000_000, instructions: 1 << 40)

  fileprivate init(parsing cost: Substring, of text: String) throws(InjectionError) {
    let parts = cost.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { throw .form(text) }
    let (name, amount) = (parts[0], parts[1])
    let cost: Self?
    switch name {
    case "slowdown":
      cost = amount.hasSuffix("%") ? Double(amount.dropLast()).map { .slowdown($0 / 100) } : nil
    case "allocations": cost = Int(amount).map { .allocations($0) }
    case "instructions": cost = Int(amount).map { .instructions($0) }
    default:
      throw InjectionError(
        message: "unknown cost '\(name)': expected \(Self.names.joined(separator: ", "))")
    }
    guard let cost, cost.isValid else {
      throw InjectionError(message: "'\(amount)' is not an amount of \(name)")
    }
    self = cost
  }

  /// Whether the amount is positive and small enough for a worker.
  var isValid: Bool {
    switch self {
    case .slowdown(let part): part > 0 && part <= Self.most.slowdown
    case .allocations(let count): (1...Self.most.allocations).contains(count)
    case .instructions(let count): (100...Self.most.instructions).contains(count)
    }
  }
}

package struct InjectionError: UserFacingError, Hashable {
  package let message: String

  package var help: String? {
    "for example json/decode:slowdown=5%, decode:allocations=1, encode:instructions=5000"
  }

  package var kind: FailureKind { .usage }

  /// Reports that a text does not have the form `[BACKEND/]PHASE:COST=AMOUNT`.
  static func form(_ text: String) -> Self {
    Self(message: "'\(text)' is not of the form [BACKEND/]PHASE:COST=AMOUNT")
  }
}

/// Adds the cost of an injection to its phase, within the measured part.
package struct Injector<Clock: WallClock> {
  let phase: Int
  private let cost: Injection.Cost
  private let clock: Clock

  /// Makes the injector of a block, or nil if the injection is for another backend.
  ///
  /// - Throws: ``WorkloadFailure`` if the workload has no such phase, or the amount is out of range.
  init?(_ injection: Injection, backend: String, phases: [Phase], clock: Clock) throws {
    guard injection.cost.isValid else {
      throw WorkloadFailure("\(injection) cannot be injected: the amount is out of range")
    }
    guard let phase = phases.firstIndex(where: { $0.id == injection.phase }) else {
      throw WorkloadFailure(
        "there is no phase '\(injection.phase)' to inject into: the phases are "
          + phases.map(\.id).joined(separator: ", "))
    }
    guard injection.backend ?? backend == backend else { return nil }
    self.phase = phase
    cost = injection.cost
    self.clock = clock
  }

  /// Does the phase's work, then the added work.
  @inline(never)
  func perform<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let start = clock.now()
    let result = try work()
    switch cost {
    case .slowdown(let part): AddedWork.slowdown(part, since: start, by: clock)
    case .allocations(let count): AddedWork.allocations(count)
    case .instructions(let count): AddedWork.instructions(count)
    }
    return result
  }
}
