import BenchEngine
import MenuModel

/// Which part of a menu a workload asks for, and what must come back.
package struct PartPlan: Sendable {
  /// The part's id.
  package let id: Int
  /// What it is called in a failure.
  private let kind: String
  /// The checksum of all of it.
  private let checksum: Checksum

  /// Takes the checksum of a part by visiting it.
  init(_ kind: String, id: Int, _ visit: (inout Checksum) throws -> Void) rethrows {
    self.kind = kind
    self.id = id
    checksum = try Checksum(of: visit)
  }

  /// Has the part found and fed to a checksum.
  ///
  /// - Throws: ``WorkloadFailure`` unless it was found, and as it was stored.
  func check(_ find: (inout Checksum) throws -> Bool) throws {
    try check(try Checksum(finding: find)?.description)
  }

  /// The same of a checksum that another process found, nil where it found nothing.
  func check(_ found: String?) throws {
    guard let found else { throw WorkloadFailure("\(kind) \(id) was stored but is not found") }
    guard found == "\(checksum)" else {
      throw WorkloadFailure("\(kind) \(id) is read back with another content than was stored")
    }
  }
}

/// What a workload asks for in warm-up besides the part that it measures: parts all over the menu,
/// and one that is not there. A backend that answers one id alone, or any id, is caught by them.
package struct FurtherParts: Sendable {
  /// What they are called in a failure.
  private let kind: String
  /// The first, the last and some between, drawn by a seed.
  private let parts: [PartPlan]
  /// The id that no part has.
  private let absent: Int

  /// Takes the checksums of the parts by visiting them.
  ///
  /// - Parameters:
  ///   - ids: those of all parts, in the menu's order; at least one.
  ///   - visit: feeds a checksum the part of an id.
  init(_ kind: String, ids: [Int], _ visit: (Int, inout Checksum) throws -> Void) rethrows {
    var random = SplitMix64(seed: 2026)
    let places = [0, ids.count - 1] + (0..<4).map { _ in random.below(ids.count) }
    self.kind = kind
    parts = try places.map { ids[$0] }.distinct.map { id in
      try PartPlan(kind, id: id) { try visit(id, &$0) }
    }
    absent = Set(ids).lowestFree
  }

  /// Has every one of them found, and the absent one not.
  ///
  /// - Throws: ``WorkloadFailure`` where one is missing or another than was stored, and where the
  ///   absent one is found.
  func check(_ find: (Int, inout Checksum) throws -> Bool) throws {
    for part in parts { try part.check { try find(part.id, &$0) } }
    var nothing = Checksum()
    guard try find(absent, &nothing) else { return }
    throw WorkloadFailure("\(kind) \(absent) is found, but none was stored")
  }
}

extension Checksum {
  /// That of a part, which is visited.
  init(of visit: (inout Checksum) throws -> Void) rethrows {
    self.init()
    try visit(&self)
  }

  /// That of a part which is looked for; nil where it is not found.
  init?(finding find: (inout Checksum) throws -> Bool) rethrows {
    self.init()
    guard try find(&self) else { return nil }
  }
}

extension Set<Int> {
  /// The lowest number from 1 that is not among them.
  var lowestFree: Int {
    var number = 1
    while contains(number) { number += 1 }
    return number
  }
}
