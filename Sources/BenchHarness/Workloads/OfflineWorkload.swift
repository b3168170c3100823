import BenchProbes
import MenuModel
import PersistenceBackends

/// `offline`: edits made on the device while it is offline, then a merge with the server's snapshot
/// in which the last writer wins.
///
/// What is created on the device has an id below 0 until the server gives it one; what is deleted is
/// hidden until the server knows. Edits wait with their times and marks in a queue, a JSON file of its
/// own beside the store, the same for every backend: its cost is in both phases. Prices, availability
/// and deletions are patches, by the backend's own route where it has one; what adds something goes by
/// the whole menu everywhere.
public struct OfflineWorkload: Workload {
  /// `offline`.
  public let name = "offline"
  /// What it tells.
  public let summary =
    "edits queued and applied on the device, then merged with the server's menu: last writer wins"
  /// One edit; and the merge of all.
  public let phases = [Phase("edit"), Phase("merge")]
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
  where B.Document == Menu { phase == 0 ? MenuAccess(backend).patchRoute : nil }

  /// Edits and merges; store and queue must then be as a reference has them. Then stores the first
  /// menu again.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: OfflinePlan
  ) throws where B.Document == Menu {
    let (backend, first) = (site.backend, site.fixture.document)
    let file = QueueFile(beside: site.surroundings.store)
    let device = Device(backend, file, revision: first.revision)
    for edit in plan.edits {
      site.surroundings.beat()
      try site.measure(0) { try device.make(edit) }
    }
    try check(backend, holds: plan.local, after: "the edits")
    try site.measure(1) {
      let merged = plan.snapshot.merged(with: try file.read())
      try backend.write(backend.encode(merged.menu))
      try file.write(merged.queue)
    }
    try check(backend, holds: plan.merged, after: "the merge")
    guard try file.read() == plan.queue else {
      throw WorkloadFailure("the queue holds other edits or marks than the merge left")
    }
    try backend.prepare(first)
    try backend.write(backend.encode(first))
  }

  private func check<B: Backend>(
    _ backend: B, holds expected: Fixture<Menu>, after what: String
  ) throws where B.Document == Menu {
    let kept = try backend.decode(backend.read())
    guard kept.fingerprint != expected.fingerprint else { return }
    let place = firstDifference(expected.document, kept) ?? "the order or form of some part"
    throw WorkloadFailure("the store is not as \(what) should have left it: \(place)")
  }
}

/// The device's side: a queue and a store.
private final class Device<B: Backend> where B.Document == Menu {
  private let backend: B
  private let access: MenuAccess<B>
  private let file: QueueFile
  private var queue = OfflineQueue()
  private var revision: Int

  init(_ backend: B, _ file: QueueFile, revision: Int) {
    self.backend = backend
    self.file = file
    self.revision = revision
    access = MenuAccess(backend)
  }

  /// Queues an edit, then applies it: of a crash between the two the queue knows, and applying once
  /// more does no harm.
  func make(_ edit: OfflineEdit) throws {
    queue.edits.append(edit)
    try file.write(queue)
    revision &+= 1
    do {
      try apply(edit.change)
    } catch let lost as UnknownPatchTarget {
      throw WorkloadFailure(
        "edit \(edit.id) is of \(lost.entity.rawValue) \(lost.id), which the store does not have")
    }
  }

  private func apply(_ change: MenuChange) throws {
    if let patch = change.patch(revision: revision) { return try access.apply(patch) }
    var menu = try backend.decode(backend.read())
    try menu.apply(change)
    menu.revision = revision
    try backend.write(backend.encode(menu))
  }
}
