import BackendKit
import BenchDocuments
import BenchEngine
import BenchProbes

/// `roundtrip`: encodes, writes, reads and decodes a whole document by phases, and opens a store.
///
/// A log is copied separately, and every write is charged with its share: see ``LogCycle``.
///
/// Each phase pays for what it causes: payloads are freed where they are used up, the document in
/// its own phase. The store that is opened is another one, which has the document and was closed.
/// The written store stays open, as an app's does, and keeps its log.
public struct RoundTripWorkload<Document: BenchDocument>: Workload {
  /// `roundtrip`.
  public let name = "roundtrip"
  /// A one-line description.
  public let summary = "a whole menu out and back: open, encode, write, read, decode, release"
  /// Opening a closed store. Saving in two phases, and the share of a checkpoint that a write
  /// causes. Loading in two phases, and freeing the loaded document. Then a whole checkpoint, and
  /// taking the document that a running process holds.
  public let phases: [Phase] = [
    .open, .encode, .write, .checkpointShare, .read, .decode, .release, .checkpoint, .held,
  ]

  /// Makes the workload, which has no settings.
  public init() {}

  /// All counted phases on all backends, but `held` only if a process holds its document.
  public func measures(_ phase: Phase, on backend: some Backend<Document>) -> Bool {
    phase == .held ? backend is any DocumentHolding : phase.isCounted
  }

  /// Makes one round trip. The result must have the original's fingerprint, which visits every slot
  /// option.
  public func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws {
    let (backend, document) = (site.backend, site.fixture.document)
    let log = try LogCycle.ofSaves(on: site)
    try backend.prepare(document)
    let written = Releasable(try site.measure(.encode) { try backend.encode(document) })
    try log?.begin()
    try site.measure(.write) { try backend.write(written.take()) }
    log?.charge(.checkpointShare, on: site)
    try log?.end()
    try backend.dropCaches()
    for _ in 0..<site.profiledRepeats(of: .read) {
      Releasable(try site.measure(.read) { try backend.read() }).free()
      try backend.dropCaches()
    }
    let read = Releasable(try site.measure(.read) { try backend.read() })
    let decoded = Releasable(try site.measure(.decode) { try backend.decode(read.take()) })
    try site.fixture.check(decoded.value, byValue: site.isWarmUp, "the document read back")
    site.measure(.release) { decoded.free() }
    try hold(on: site)
    try open(on: site)
  }

  private func hold<B: Backend<Document>, Clock: WallClock>(on site: WorkSite<B, Clock>) throws {
    guard let holding = site.backend as? any DocumentHolding<Document> else { return }
    let held = try site.measureRepeatedly(.held) { try holding.held() }
    try site.fixture.check(held, byValue: site.isWarmUp, "the document held in memory")
  }

  /// Opens the other store, unless instructions are counted: databases start and end threads here.
  /// A warm-up for times does not, because the block then copies its own store. Closing is not timed.
  private func open<B: Backend<Document>, Clock: WallClock>(on site: WorkSite<B, Clock>) throws {
    guard !site.isTraced, !(site.isTimed && site.isWarmUp) else { return }
    let (entry, store) = (site.surroundings.entry, try site.surroundings.closedStore())
    let opened = try site.measure(.open) { try entry.open(store) }
    try opened.close()
    site.awaitQuiet()
  }
}

extension Phase {
  fileprivate static let checkpointShare = LogCycle.share(of: "save")
  fileprivate static let open = Phase("open")
  fileprivate static let encode = Phase("encode", floor: .copy, decides: true, as: "save")
  fileprivate static let write = Phase("write", floor: .write, decides: true, as: "save")
  fileprivate static let read = Phase("read", floor: .read, decides: true, as: "load")
  fileprivate static let decode = Phase("decode", floor: .copy, decides: true, as: "load")
  fileprivate static let release = Phase("release", decides: true, as: "load")
  fileprivate static let held = Phase("held")
}
