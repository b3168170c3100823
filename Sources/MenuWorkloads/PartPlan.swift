import BackendKit
import BenchEngine
import MenuModel

/// Which part of a menu a workload asks for, and what must come back.
package struct PartPlan: Sendable {
  package let id: Int
  /// What it is called in a failure.
  private let kind: String
  /// The checksum of all of it.
  fileprivate let checksum: Checksum

  /// Takes the checksum of a part by visiting it.
  init(_ kind: String, id: Int, _ visit: (inout Checksum) -> Void) {
    self.kind = kind
    self.id = id
    checksum = Checksum(of: visit)
  }

  /// Sees that what was found, visited here, is what was stored.
  ///
  /// - Throws: ``WorkloadFailure`` where it is another, and where nothing was found.
  func check(_ part: (some MenuPart)?) throws {
    try check(part.map { "\(Checksum(of: $0.visit))" })
  }

  /// The same of a checksum in words, as another process gives it.
  func check(_ found: String?) throws {
    guard let found else { throw WorkloadFailure("\(kind) \(id) was stored but is not found") }
    guard found == "\(checksum)" else {
      throw WorkloadFailure("\(kind) \(id) is read back with another content than was stored")
    }
  }
}

/// The parts that a warm process is asked for in turn, drawn by a seed: as of an app in use, and the
/// same for every backend. With one part alone, all that it takes would be at hand from the last time.
package struct PartCycle: Sendable {
  /// How many are asked for before it begins again.
  static let length = 8

  private let parts: [PartPlan]

  /// Draws parts by their ids, of which there is one at least; each once as long as there are enough.
  init(_ ids: [Int], _ part: (Int) -> PartPlan) {
    var random = SplitMix64(seed: 8)
    var left: [Int] = []
    parts = (0..<Self.length).map { _ in
      if left.isEmpty { left = ids }
      return part(left.remove(at: random.below(left.count)))
    }
  }

  /// The part of a turn, counted from 0.
  subscript(turn: Int) -> PartPlan { parts[turn % parts.count] }

  package var ids: [Int] { parts.map(\.id) }

  /// How many bytes a part has, in the mean.
  var usefulBytes: Double {
    Double(parts.reduce(0) { $0 + $1.checksum.bytes }) / Double(parts.count)
  }
}

package struct PartFinding: Codable, Sendable {
  /// The part's checksum; nil where there is none.
  var checksum: String?
  /// What opening the store and finding the part took, in nanoseconds.
  var elapsed: UInt64
}

extension Checksum {
  /// That of a part, which is visited.
  init(of visit: (inout Checksum) -> Void) {
    self.init()
    visit(&self)
  }
}

extension Set<Int> {
  /// The lowest number from 1 that is not among them.
  var lowestFree: Int { (1..<count + 1).first { !contains($0) } ?? count + 1 }
}

extension WorkSite {
  /// Measures the taking of a part: many times over where it is too short for the clock. Who reads the
  /// whole menu for it is never.
  func measurePart<Result, Failure: Error>(
    _ phase: Phase, _ route: Route, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard route == .native else { return try measure(phase, work) }
    return try measureRepeatedly(phase, work)
  }
}
