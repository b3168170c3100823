import BackendKit
import BenchDocuments
import BenchEngine
import BenchProbes

/// `dual-write`: an app on its way from one backend to another copies what it has, keeps both,
/// compares them, reads from the new one, and turns back half-way.
///
/// The backend measured is the old one; the new one lies beside it, at the same durability, and is
/// empty at first. Which one is read stands in a small file, so that the next start knows.
public struct DualWriteWorkload<Document: BenchDocument>: Workload {
  /// `dual-write`.
  public let name = "dual-write"
  /// What it tells.
  public let summary =
    "two backends kept in step during a move from one to the other, compared, and turned back"
  /// Reading the old store and writing the new one; storing in both; reading both and comparing;
  /// reading the new one once the switch is turned; turning it back and reading the old one.
  public let phases: [Phase] = [.copy, .writeBoth, .compare, .readNew, .switchBack]
  /// The menu is in the old store.
  public let beginsStored = true

  private static var standard: String { "sqlite" }
  private static var standardForItself: String { "json" }

  var partner = Self.standard

  /// The store that the app moves to.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "with", \.partner, standard: standard,
        "the backend moved to; \(standard) itself moves to \(standardForItself)")
    ]
  }

  /// The workload with its settings at their defaults.
  public init() {}

  /// The backend moved to, where one was typed.
  public var otherBackends: [String] { partner == Self.standard ? [] : [partner] }

  /// There is no move from a backend to itself.
  public func refusal(of backend: BackendEntry<Document>) -> String? {
    guard partner(of: backend.id) == backend.id else { return nil }
    return "\(backend.id) cannot move to itself: name another backend with \(name):with=ID"
  }

  /// Copies, writes both twice, the second time while the new one is read, and turns back: what was
  /// written meanwhile must be in the old one, and the two must still be in step.
  public func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws {
    let (around, first) = (site.surroundings, site.fixture)
    let update = around.revisions.first { $0.fingerprint != first.fingerprint } ?? first
    let entry = try entry(for: around)
    let other = try entry.open(around.neighbour("dual-write"))
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

extension Phase {
  fileprivate static let copy = Phase("copy", decides: true)
  fileprivate static let writeBoth = Phase("write-both", decides: true)
  fileprivate static let compare = Phase("compare", decides: true)
  fileprivate static let readNew = Phase("read-new")
  fileprivate static let switchBack = Phase("switch-back", decides: true)
}

/// Two stores that are kept in step while an app moves from one to the other.
///
/// The old one is always written, first, whichever is read: so there is a way back at any time. Where
/// the new one can't be written the app goes on; that the two are out of step shows when they are
/// compared. Which one is read stands in a small file, so that the app knows when it is started again.
struct DualStore<Document: BenchDocument> {
  private let old: (id: String, backend: any Backend<Document>)
  private let new: (id: String, backend: any Backend<Document>)
  /// Which of the two is read.
  private(set) var leader: Leader
  private let file: SmallFile<Switch>
  private var failure: (any Error)?

  enum Leader: String, Codable, Sendable {
    case old, new
  }

  struct Switch: Codable, Equatable, Sendable {
    var leader: Leader
  }

  /// Starts where the file says that the move has come to; without a file at its beginning.
  ///
  /// - Throws: an error where the file is there and cannot be read.
  init(
    from oldID: String, _ old: any Backend<Document>, to newID: String,
    _ new: any Backend<Document>, switchedBy file: SmallFile<Switch>
  ) throws {
    self.file = file
    leader = try file.readIfThere()?.leader ?? .old
    self.old = (oldID, old)
    self.new = (newID, new)
  }

  /// Takes notice of what is written next.
  func prepare(_ document: Document) throws {
    try old.backend.prepare(document)
    try new.backend.prepare(document)
  }

  /// Makes the next reads look at the stores themselves.
  func dropCaches() throws {
    try old.backend.dropCaches()
    try new.backend.dropCaches()
  }

  /// Has the new store take what the old one holds.
  func copy() throws { try new.backend.put(old.backend.whole()) }

  /// Has one of the two be read from now on, after the next start as well.
  mutating func lead(by leader: Leader) throws {
    try file.write(Switch(leader: leader))
    self.leader = leader
  }

  /// The document, out of the store that is read.
  func read() throws -> Document {
    try leader == .old ? old.backend.whole() : new.backend.whole()
  }

  /// Stores a document in both. Throws the old store's error; the new one is then not written.
  mutating func write(_ document: Document) throws {
    try old.backend.put(document)
    do {
      try new.backend.put(document)
      failure = nil
    } catch {
      failure = error
    }
  }

  /// Reads both and compares all of them.
  ///
  /// - Throws: ``WorkloadFailure`` that says how they differ, and why where that is known; a store's
  ///   error where one cannot be read.
  func compare() throws {
    let (kept, copy) = (try old.backend.whole(), try new.backend.whole())
    let isSame = kept.fingerprint == copy.fingerprint
    guard !isSame || failure != nil else { return }
    let place = isSame ? nil : difference(kept, copy)
    let reason = failure.map { "its last write failed: \($0)" }
    throw WorkloadFailure(
      "\(new.id) is out of step with \(old.id): "
        + [place, reason].compactMap { $0 }.joined(separator: "; "))
  }
}
