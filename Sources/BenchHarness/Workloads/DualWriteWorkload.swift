import BenchProbes
import MenuModel
import PersistenceBackends

/// `dual-write`: an app on its way from one storage to another keeps both, compares them, reads from
/// the new one, and turns back half-way.
///
/// The backend measured is the old storage; the new one lies beside it, at the same durability.
public struct DualWriteWorkload<Document: BenchDocument>: Workload {
  /// `dual-write`.
  public let name = "dual-write"
  /// What it tells.
  public let summary =
    "two storages kept in step during a move from one to the other, compared, and turned back"
  /// Storing in both; reading both and comparing; reading the old one when the move is given up.
  public let phases = [Phase("write-both"), Phase("compare"), Phase("switch-back")]

  private static var standard: String { "sqlite" }
  private static var standardForItself: String { "json" }

  var partner = Self.standard

  /// The storage that the app moves to.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "with", \.partner, standard: standard,
        "the backend moved to; \(standard) itself moves to \(standardForItself)")
    ]
  }

  /// Makes the workload.
  public init() {}

  /// There is no move from a storage to itself.
  public func refusal(of backend: BackendEntry<Document>) -> String? {
    guard partner(of: backend.id) == backend.id else { return nil }
    return "\(backend.id) cannot move to itself: name another backend with \(name):with=ID"
  }

  /// Writes both twice, the second time while the new one is read, and turns back: nothing may be
  /// lost, and the two must still be in step.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws where B.Document == Document {
    let around = site.surroundings
    let entry = try entry(for: around)
    let other = try entry.open(around.neighbour("dual-write"))
    defer { try? other.close() }
    var both = DualStore(from: around.entry.id, site.backend, to: entry.id, other)
    let before =
      around.revisions.first { $0.fingerprint != site.fixture.fingerprint } ?? site.fixture
    try write(before.document, to: &both, site)
    try site.measure(1) { try both.compare() }
    // From here on the new one is read.
    try check(try both.readNew(), is: before, in: entry.id, "when it is read from first")
    try write(site.fixture.document, to: &both, site)
    try site.backend.dropCaches()
    let back = try site.measure(2) { try both.readOld() }
    try check(back, is: site.fixture, in: around.entry.id, "when the app turns back")
    try site.measure(1) { try both.compare() }
  }

  private func write<B: Backend, Clock: WallClock>(
    _ document: Document, to both: inout DualStore<Document>, _ site: WorkSite<B, Clock>
  ) throws where B.Document == Document {
    try both.prepare(document)
    try site.measure(0) { try both.write(document) }
  }

  private func check(
    _ found: Document, is expected: Fixture<Document>, in id: String, _ moment: String
  ) throws {
    guard found.fingerprint != expected.fingerprint else { return }
    let place = firstDifference(expected.document, found) ?? "the order or form of some part"
    throw WorkloadFailure("\(id) lacks what was written last \(moment): \(place)")
  }

  private func entry(for around: Surroundings<Document>) throws -> BackendEntry<Document> {
    let id = partner(of: around.entry.id)
    guard let entry = around.backends.first(where: { $0.id == id }) else {
      throw WorkloadFailure(
        "there is no backend '\(id)' to move to; there are: "
          + around.backends.map(\.id).joined(separator: ", "))
    }
    return entry
  }

  private func partner(of id: String) -> String {
    id == partner && id == Self.standard ? Self.standardForItself : partner
  }
}
