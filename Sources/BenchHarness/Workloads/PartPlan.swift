import MenuModel

/// Which part of a menu a workload asks for, and what must come back.
public struct PartPlan: Sendable {
  /// The part's id.
  public let id: Int
  /// What it is called in a failure.
  private let kind: String
  /// The checksum of all of it.
  private let checksum: Checksum

  /// Takes the checksum of a part by visiting it.
  init(_ kind: String, id: Int, _ visit: (inout Checksum) throws -> Void) rethrows {
    var checksum = Checksum()
    try visit(&checksum)
    self.kind = kind
    self.id = id
    self.checksum = checksum
  }

  /// Has the part found and fed to a checksum.
  ///
  /// - Throws: ``WorkloadFailure`` unless it was found, and as it was stored.
  func check(_ find: (inout Checksum) throws -> Bool) throws {
    var found = Checksum()
    try check(try find(&found) ? "\(found)" : nil)
  }

  /// The same of a checksum that another process found, nil where it found nothing.
  func check(_ found: String?) throws {
    guard let found else { throw WorkloadFailure("\(kind) \(id) was stored but is not found") }
    guard found == "\(checksum)" else {
      throw WorkloadFailure("\(kind) \(id) is read back with another content than was stored")
    }
  }
}
