import BackendKit
import BenchEngine
import MenuModel

/// A part of a menu that a workload reads, and its expected content.
package struct PartPlan: Sendable {
  package let id: Int
  /// Its name in failure messages.
  private let kind: String
  /// The checksum of the whole part.
  fileprivate let checksum: Checksum

  /// Computes the checksum of a part by visiting it.
  init(_ kind: String, id: Int, _ visit: (inout Checksum) -> Void) {
    self.kind = kind
    self.id = id
    checksum = Checksum(of: visit)
  }

  /// Checks that a found part, which is visited here, is the stored one.
  ///
  /// - Throws: ``WorkloadFailure`` if it differs, or if nothing was found.
  func check(_ part: (some MenuPart)?) throws {
    try check(part.map { "\(Checksum(of: $0.visit))" })
  }

  /// Checks a checksum in text form, as another process returns it.
  func check(_ found: String?) throws {
    guard let found else { throw WorkloadFailure("\(kind) \(id) was stored but is not found") }
    guard found == "\(checksum)" else {
      throw WorkloadFailure("\(kind) \(id) is read back, but is not the stored one")
    }
  }
}

/// The parts that a warm process reads in turn, as in an app in use. A seed draws them, the same
/// for every backend. A single part would leave all of its data in memory from the last read.
package struct PartCycle: Sendable {
  /// The number of parts in a cycle.
  static let length = 8

  private let parts: [PartPlan]

  /// Draws parts by their ids, each once while there are enough. Requires at least one id.
  init(_ ids: [Int], _ part: (Int) -> PartPlan) {
    var random = SplitMix64(seed: 8)
    var left: [Int] = []
    parts = (0..<Self.length).map { _ in
      if left.isEmpty { left = ids }
      return part(left.remove(at: random.below(left.count)))
    }
  }

  /// Returns the part of a turn, counted from 0.
  subscript(turn: Int) -> PartPlan { parts[turn % parts.count] }

  package var ids: [Int] { parts.map(\.id) }

  /// The mean number of bytes of a part.
  var usefulBytes: Double {
    Double(parts.reduce(0) { $0 + $1.checksum.bytes }) / Double(parts.count)
  }
}

package struct PartFinding: Codable, Sendable {
  /// The part's checksum, or nil if there is no such part.
  var checksum: String?
  /// The time to open the store and find the part, in nanoseconds.
  var elapsed: UInt64
}

extension Checksum {
  /// Computes the checksum of a part by visiting it.
  init(of visit: (inout Checksum) -> Void) {
    self.init()
    visit(&self)
  }
}

extension Set<Int> {
  /// The lowest number from 1 that is not in the set.
  var lowestFree: Int { (1..<count + 1).first { !contains($0) } ?? count + 1 }
}

extension WorkSite {
  /// Measures reading a part, repeatedly if it is too short for the clock. A read of the whole menu
  /// is never repeated.
  func measurePart<Result, Failure: Error>(
    _ phase: Phase, _ route: Route, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard route == .native else { return try measure(phase, work) }
    return try measureRepeatedly(phase, work)
  }
}
