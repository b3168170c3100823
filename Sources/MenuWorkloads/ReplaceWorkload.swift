import BackendKit
import BenchDocuments
import BenchEngine
import BenchProbes
import BenchResults
import Foundation

/// `replace`: stores many revisions of a document over each other, in its own store that is empty
/// at first. Notes its size after each, logs included, and at rest, and the effect of compaction.
///
/// No two revisions are the same: items come and go, and texts change their length. They are made
/// one by one, outside the measurement, and are the same for every backend.
public struct ReplaceWorkload<Document: BenchDocument>: Workload {
  /// `replace`.
  public let name = "replace"
  /// A one-line description.
  public let summary = "many revisions stored over each other: the store's growth, then compaction"
  /// Each replacement, encoded and written, and its share of checkpoints if the store keeps a log.
  /// Then compaction, if the backend supports it, and each checkpoint.
  public let phases: [Phase] = [.replace, .checkpointShare, .compact, .checkpoint]
  /// The given store stays as it is, because growth is measured from an empty one.
  public let beginsStored = true
  /// One iteration has as many samples as there are revisions.
  public let leastSamples = 1
  /// Every backend flushes each revision, so their times can be compared.
  public let ownDurability = Durability.durable

  var revisions = 50

  /// The number of revisions.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "revisions", \.revisions, in: 2...1_000, standard: 50,
        "the number of revisions stored over each other")
    ]
  }

  /// Makes the workload with default settings.
  public init() {}

  /// Returns the backend's own route for compaction, if it has one.
  public func route(of phase: Phase, on backend: some Backend<Document>) -> Route? {
    phase == .compact && backend is any Compacting ? .native : nil
  }

  /// Stores the revisions. The last must be read back after them, from the reopened store, and
  /// after compaction. In warm-up each of the first three is read back, too.
  public func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws {
    let store = try site.surroundings.siblingStore("replaced")
    defer { try? FileManager.default.removeItem(atPath: store.folder) }
    let entry = site.surroundings.entry
    let last = try replace(in: try entry.open(store), at: store, site)
    guard entry.survivesRestart else { return }
    try note(.storedBytes, of: store, .replace, on: site)
    let reopened = try entry.open(store)
    try last.check(try reopened.whole(), byValue: site.isWarmUp, "the replaced store, reopened,")
    guard let compacting = reopened as? any Compacting else { return try reopened.close() }
    try site.measure(.compact) { try compacting.compact() }
    try note(.storedPeakBytes, of: store, .compact, on: site)
    try last.check(try reopened.whole(), byValue: site.isWarmUp, "the compacted store")
    try reopened.close()
    try note(.storedBytes, of: store, .compact, on: site)
  }

  /// Stores the revisions and closes the store.
  ///
  /// - Returns: the revision that was stored last.
  private func replace<B: Backend<Document>, R: Backend<Document>, Clock: WallClock>(
    in backend: R, at store: StoreContext, _ site: WorkSite<B, Clock>
  ) throws -> Fixture<Document> {
    var document = site.fixture.document
    let ledger = try LogLedger(of: backend, on: site)
    // Checking needs fewer revisions than measuring growth.
    let count = site.isWarmUp ? min(revisions, 5) : revisions
    for number in 0..<count {
      document = site.fixture.document.revised(number)
      try backend.prepare(document)
      ledger?.begin()
      try site.measure(.replace) { try backend.put(document) }
      try ledger?.add(on: site)
      try note(.storedPeakBytes, of: store, .replace, on: site)
      site.surroundings.heartbeat()
      guard site.isWarmUp, number < 3 else { continue }
      try Fixture(document).check(
        try backend.whole(), byValue: site.isWarmUp, "revision \(number + 1)")
    }
    try ledger?.settle(.checkpointShare, on: site)
    let last = Fixture(document)
    try last.check(try backend.whole(), byValue: site.isWarmUp, "the last revision")
    try backend.close()
    return last
  }

  /// Notes the size of the store's files, but nothing for a store in memory.
  private func note<B: Backend<Document>, Clock: WallClock>(
    _ metric: Metric, of store: StoreContext, _ phase: Phase, on site: WorkSite<B, Clock>
  ) throws {
    guard site.surroundings.entry.survivesRestart else { return }
    site.note(Double(try store.bytes()), of: metric, phase)
  }
}

extension Phase {
  fileprivate static let replace = Phase("replace", floor: .write, decides: true, as: "replace")
  fileprivate static let checkpointShare = LogCycle.share(of: "replace")
  fileprivate static let compact = Phase("compact")
}
