import BenchProbes
import MenuModel
import PersistenceBackends

/// `offline`: edits made on the device while it is offline, then a merge with the server's snapshot
/// in which the last writer wins.
///
/// What is created on the device has an id below 0 until the server gives it one; what is deleted is
/// hidden until the server knows. Edits wait with their times and marks in a queue, a JSON file of its
/// own beside the store, the same for every backend. Prices, availability and deletions are patches, by
/// the backend's own route where it has one; what adds something goes by the whole menu everywhere.
public struct OfflineWorkload: Workload {
  /// `offline`.
  public let name = "offline"
  /// What it tells.
  public let summary =
    "edits queued and applied on the device, then merged with the server's menu: last writer wins"
  /// An edit that is a patch; one that adds something; the queue's file, written with every edit, read
  /// and written with the merge; and merging all and storing the outcome.
  public let phases = [Phase("edit"), Phase("edit-whole"), Phase("queue"), Phase("merge")]
  /// The menu was there when the connection was lost.
  public let beginsStored = true
  /// One is many edits.
  public let leastSamples = 1

  var edits = 20

  /// How many edits.
  public static var parameters: [WorkloadParameter<Self>] {
    [WorkloadParameter("edits", \.edits, in: 1...10_000, standard: 20, "edits before the merge")]
  }

  /// Makes the workload.
  public init() {}

  /// The edits, the server's snapshot, and what must come of both.
  public func plan(for menu: Menu) throws -> OfflinePlan { try OfflinePlan(edits, on: menu) }

  /// How a patch is applied; what adds something goes by the whole menu.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu {
    switch phase {
    case Self.edit: MenuAccess(backend).patchRoute
    case Self.editWhole: .wholeMenu
    default: nil
    }
  }

  /// Edits and merges; store and queue must then be as a reference has them. Then stores the first
  /// menu again.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: OfflinePlan
  ) throws where B.Document == Menu {
    let (backend, first) = (site.backend, site.fixture.document)
    let file = SmallFile<OfflineQueue>("offline-queue.json", beside: site.surroundings.store)
    try file.remove()
    try edit(by: plan, file, on: site)
    try plan.local.check(backend.whole(), site.care, "the store after the edits")
    try check(file.read(), is: OfflineQueue(edits: plan.edits), "the edits")
    let waiting = try site.measure(Self.queue) { try file.read() }
    let queue = try site.measure(Self.merge) {
      let merged = plan.snapshot.merged(with: waiting)
      try backend.write(backend.encode(merged.menu))
      return merged.queue
    }
    try site.measure(Self.queue) { try file.write(queue) }
    try plan.merged.check(backend.whole(), site.care, "the store after the merge")
    try check(file.read(), is: plan.queue, "the merge")
    try backend.prepare(first)
    try backend.write(backend.encode(first))
  }

  /// Queues each edit, then applies it: of a crash between the two the queue knows, and applying once
  /// more does no harm.
  private func edit<B: Backend, Clock: WallClock>(
    by plan: OfflinePlan, _ file: SmallFile<OfflineQueue>, on site: WorkSite<B, Clock>
  ) throws where B.Document == Menu {
    var (queue, revision) = (OfflineQueue(), site.fixture.document.revision)
    for edit in plan.edits {
      site.surroundings.beat()
      queue.edits.append(edit)
      try site.measure(Self.queue) { try file.write(queue) }
      revision &+= 1
      do {
        try apply(edit.change, revision, on: site)
      } catch let lost as UnknownPatchTarget {
        throw WorkloadFailure(
          "edit \(edit.id) is of \(lost.entity.rawValue) \(lost.id), which the store does not have")
      }
    }
    if plan.edits.allSatisfy({ $0.change.patch(revision: revision) != nil }) {
      site.recorder.skip(
        Self.editWhole,
        because: "the first that adds something is the fourth edit: raise offline:edits")
    }
  }

  private func apply<B: Backend, Clock: WallClock>(
    _ change: MenuChange, _ revision: Int, on site: WorkSite<B, Clock>
  ) throws where B.Document == Menu {
    let backend = site.backend
    if let patch = change.patch(revision: revision) {
      let access = MenuAccess(backend)
      return try site.measure(Self.edit) { try access.apply(patch) }
    }
    try site.measure(Self.editWhole) {
      var menu = try backend.whole()
      try menu.apply(change)
      menu.revision = revision
      try backend.write(backend.encode(menu))
    }
  }

  private func check(
    _ found: OfflineQueue, is expected: OfflineQueue, _ moment: String
  ) throws {
    guard found != expected else { return }
    let place = firstDifference(expected, found) ?? "some part"
    throw WorkloadFailure("the queue is not as \(moment) should have left it: \(place)")
  }

  private static let edit = 0
  private static let editWhole = 1
  private static let queue = 2
  private static let merge = 3
}
