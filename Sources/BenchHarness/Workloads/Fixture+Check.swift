import MenuModel
import PersistenceBackends

extension Fixture {
  /// Throws ``WorkloadFailure`` unless a document is the fixture's: by its fingerprint, for which every
  /// part of it is visited, or value by value too.
  ///
  /// - Parameter subject: whose it is: `the last revision`.
  func check(_ found: Document, _ care: Care, _ subject: String) throws {
    let isSame = found.fingerprint == fingerprint
    guard !isSame || (care == .thorough && found != document) else { return }
    let place = firstDifference(document, found) ?? "the order or form of some part"
    throw WorkloadFailure("\(subject) differs from what was written: \(place)")
  }
}

extension Backend {
  /// Everything that is stored.
  func whole() throws -> Document { try decode(read()) }
}
