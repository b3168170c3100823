import BackendKit
import BenchDocuments
import BenchEngine
import BenchProbes

/// `dual-write`: an app that moves from one backend to another copies its data, keeps both stores,
/// compares them, reads from the new one, and turns back half-way.
///
/// The measured backend is the old one. The new one is the same for all, which compares them alike.
/// It is next to the old one, at the same durability, and empty at first. A small file records
/// which one is read, so that the next start knows.
public struct DualWriteWorkload<Document: BenchDocument>: Workload {
  /// `dual-write`.
  public let name = "dual-write"
  /// A one-line description.
  public let summary =
    "a move between two backends: the app writes and compares both, and then turns back"
  /// Copying the old store to the new one, storing in both, and reading both and comparing. Then
  /// reading the new store after the switch, and switching back and reading the old one.
  public let phases: [Phase] = [.copy, .writeBoth, .compare, .readNew, .switchBack]
  /// The menu is in the old store from the start.
  public let beginsStored = true

  private static var standard: String { "sqlite" }

  var partner = Self.standard

  /// The backend that the app moves to.
  public static var parameters: [WorkloadParameter<Self>] {
    [WorkloadParameter("with", \.partner, standard: standard, "the new backend")]
  }

  /// Makes the workload with default settings.
  public init() {}

  /// The backend moved to, if the user named one.
  public var otherBackends: [String] { partner == Self.standard ? [] : [partner] }

  /// Refuses a move from a backend to itself.
  public func refusal(of backend: BackendEntry<Document>) -> String? {
    guard partner == backend.id else { return nil }
    return "\(backend.id) cannot move to itself: name another backend with \(name):with=ID"
  }

  /// Copies, writes both stores twice, the second time while the new one is read, and turns back.
  /// The old one must then have the last document, and both must still be in step.
  public func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws {
    let (around, first) = (site.surroundings, site.fixture)
    let update = around.revisions.first { $0.fingerprint != first.fingerprint } ?? first
    let entry = try entry(for: around)
    let other = try entry.open(around.siblingStore("dual-write"))
    defer { try? other.close() }
    let file = SmallFile<DualStore<Document>.Switch>(
      "dual-write-switch.json", beside: around.store)
    try file.remove()
    func start(reading leader: DualStore<Document>.Leader) throws -> DualStore<Document> {
      let both = try DualStore(
        from: around.entry.id, site.backend, to: entry.id, other, switchedBy: file)
      guard both.leader == leader else {
        throw WorkloadFailure("the app starts with the \(both.leader) backend, not the \(leader)")
      }
      return both
    }
    var both = try start(reading: .old)
    func compare() throws {
      try both.dropCaches()
      try site.measure(.compare) { try both.compare() }
    }
    func write(_ fixture: Fixture<Document>) throws {
      try both.prepare(fixture.document)
      try site.measure(.writeBoth) { try both.write(fixture.document) }
      try compare()
    }
    try both.prepare(first.document)
    try both.dropCaches()
    try site.measure(.copy) { try both.copy() }
    try compare()
    try write(update)
    try both.lead(by: .new)
    both = try start(reading: .new)
    try both.dropCaches()
    let ahead = try site.measure(.readNew) { try both.read() }
    try update.check(ahead, byValue: site.isWarmUp, "\(entry.id), after a start that reads it,")
    try write(first)
    try both.dropCaches()
    try site.measure(.switchBack) {
      try both.lead(by: .old)
      _ = try both.read()
    }
    both = try start(reading: .old)
    try first.check(
      both.read(), byValue: site.isWarmUp, "\(around.entry.id), to which the app turned back,")
  }

  private func entry(for around: WorkContext<Document>) throws -> BackendEntry<Document> {
    guard let entry = around.backends.first(where: { $0.id == partner }) else {
      throw WorkloadFailure(
        "there is no backend '\(partner)' to move to: expected "
          + around.backends.map(\.id).joined(separator: ", "))
    }
    return entry
  }
}

extension Phase {
  fileprivate static let copy = Phase("copy", decides: true)
  fileprivate static let writeBoth = Phase("write-both", decides: true, saves: true)
  fileprivate static let compare = Phase("compare", decides: true)
  fileprivate static let readNew = Phase("read-new")
  fileprivate static let switchBack = Phase("switch-back", decides: true)
}

/// Two stores that are kept in step while an app moves from one to the other.
///
/// The old one is always written, and first, whichever is read, so that the app can turn back at
/// any time. If the new one can't be written the app goes on, and a comparison shows the
/// difference. A small file records which one is read, so that the app knows at its next start.
struct DualStore<Document: BenchDocument> {
  private let old: (id: String, backend: any Backend<Document>)
  private let new: (id: String, backend: any Backend<Document>)
  /// The store that is read.
  private(set) var leader: Leader
  private let file: SmallFile<Switch>
  private var failure: (any Error)?

  enum Leader: String, Codable, Sendable {
    case old, new
  }

  struct Switch: Codable, Equatable, Sendable {
    var leader: Leader
  }

  /// Starts with the leader that the file records, or with the old store if there is no file.
  ///
  /// - Throws: an error if the file exists but can't be read.
  init(
    from oldID: String, _ old: any Backend<Document>, to newID: String,
    _ new: any Backend<Document>, switchedBy file: SmallFile<Switch>
  ) throws {
    self.file = file
    leader = try file.readIfThere()?.leader ?? .old
    self.old = (oldID, old)
    self.new = (newID, new)
  }

  func prepare(_ document: Document) throws {
    try old.backend.prepare(document)
    try new.backend.prepare(document)
  }

  /// Makes the next reads use the stores themselves.
  func dropCaches() throws {
    try old.backend.dropCaches()
    try new.backend.dropCaches()
  }

  func copy() throws { try new.backend.put(old.backend.whole()) }

  /// Makes one of the two the store that is read, also after the next start.
  mutating func lead(by leader: Leader) throws {
    try file.write(Switch(leader: leader))
    self.leader = leader
  }

  /// Returns the document from the store that is read.
  func read() throws -> Document {
    try leader == .old ? old.backend.whole() : new.backend.whole()
  }

  /// Stores a document in both. Throws the old store's error, and then does not write the new one.
  mutating func write(_ document: Document) throws {
    try old.backend.put(document)
    do {
      try new.backend.put(document)
      failure = nil
    } catch {
      failure = error
    }
  }

  /// Reads both and compares the whole documents.
  ///
  /// - Throws: ``WorkloadFailure`` with the difference and, if known, the reason. If a store can't
  ///   be read, its error.
  func compare() throws {
    let (kept, copy) = (try old.backend.whole(), try new.backend.whole())
    let isSame = kept.fingerprint == copy.fingerprint
    guard !isSame || failure != nil else { return }
    let place = isSame ? nil : difference(kept, copy)
    let reason = failure.map { "its last write failed: \($0)" }
    throw WorkloadFailure(
      "\(new.id) differs from \(old.id): "
        + [place, reason].compactMap { $0 }.joined(separator: ", and "))
  }
}
