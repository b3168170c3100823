import BackendKit
import BenchDocuments
import BenchEngine
import BenchProbes
import BenchResults

/// A backend's log, whose checkpoints are measured separately from the commits that would make
/// them.
///
/// A backend with a log copies it into its store in one commit out of many. Instead of leaving this
/// to chance, the log is copied separately, once a block, after the workload's writes have filled
/// it. Each write is charged with the share of that checkpoint's time, reads and writes that its
/// part of the log has.
final class LogCycle: LogMeter {
  /// Fills the log and measures the checkpoint, unless this site measured one before.
  ///
  /// Returns nil if the backend has no log, and in warm-up. Measures no checkpoint if instructions
  /// are counted one by one, because filling the log would take fifty times as long.
  ///
  /// - Parameter write: writes as the workload does, given the number of the write. The workload
  ///   must be able to continue from the last menu.
  /// - Throws: the error of `write`, or ``WorkloadFailure`` if 10,000 writes do not fill the log.
  init?<Clock: WallClock>(
    on site: WorkSite<some Backend, Clock>, filling write: (Int) throws -> Void
  ) throws {
    try super.init(of: site.backend, on: site)
    if !site.isTraced, site.lastWall(.checkpoint) == nil { try fill(on: site, by: write) }
  }

  /// Returns a log filled by saving both revisions in turn. The store is left with the one that is
  /// not written next, because storing a revision over itself changes nothing.
  static func ofSaves<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>
  ) throws -> LogCycle? {
    let revisions = site.surroundings.revisions
    var last: Int?
    let log = try LogCycle(on: site) { turn in
      last = turn % 2
      try site.backend.save(revisions[turn % 2].document)
    }
    if let last, revisions[last].fingerprint == site.fixture.fingerprint {
      try site.backend.save(revisions[1 - last].document)
    }
    return log
  }

  private func fill<Clock: WallClock>(
    on site: WorkSite<some Backend, Clock>, by write: (Int) throws -> Void
  ) throws {
    // Starts from an empty log, so that the same writes always fill it alike.
    try log.checkpoint()
    for turn in 0... {
      try write(turn)
      site.surroundings.heartbeat()
      guard let fill = log.logFill, fill < 1 else { break }
      guard turn < 10_000 else {
        throw WorkloadFailure("10,000 writes filled \(Int(fill * 100)) % of the log")
      }
    }
    // The last write overfilled the log, so shares are relative to the actual fill.
    let fill = log.logFill ?? 1
    try site.measure(.checkpoint) { try log.checkpoint() }
    site.keep(fill, for: .checkpoint)
  }

  /// Begins a write to charge. First copies the log if it is full. Always copies it before a counted
  /// write, because only the first write to an empty log includes the log's header.
  func begin() throws {
    if !isTimed || (log.logFill ?? 0) >= 1 { try log.checkpoint() }
    mark()
  }

  /// Charges the write since ``begin()`` with its share of a checkpoint, noted as `phase`.
  ///
  /// - Returns: the share of the time, in nanoseconds.
  @discardableResult
  func charge<Clock: WallClock>(_ phase: Phase, on site: WorkSite<some Backend, Clock>) -> Double {
    guard let full = site.kept(for: .checkpoint) else { return 0 }
    let added = added
    for metric in Self.shared {
      guard let whole = site.last(metric, of: .checkpoint) else { continue }
      site.note(whole * added / full, of: metric, phase)
    }
    return (site.lastWall(.checkpoint) ?? 0) * added / full
  }

  /// Returns the phase of the shares, which count toward a cost of the workload if there is one.
  static func share(of cost: String?) -> Phase {
    Phase("checkpoint-share", decides: cost != nil, as: cost, ofSome: true, isCounted: false)
  }
}

/// The log of a store that is written many times in one pass. It is copied separately after each
/// write that fills it. At the end of the pass each write is charged with its share of all copying.
final class LogLedger: LogMeter {
  private var parts: [Double] = []
  private var copied = 0.0
  private var costs: [Metric: Double] = [:]

  /// Begins a write to charge.
  func begin() { mark() }

  /// Records how much the write since then added to the log. Copies the log if it is full.
  func add<Clock: WallClock>(on site: WorkSite<some Backend, Clock>) throws {
    parts.append(added)
    if let fill = log.logFill, fill >= 1 { try copy(fill, on: site) }
  }

  /// Notes every write's share, in order. If nothing was copied yet, copies the rest of the log.
  func settle<Clock: WallClock>(_ phase: Phase, on site: WorkSite<some Backend, Clock>) throws {
    if copied == 0, let fill = log.logFill, fill > 0 { try copy(fill, on: site) }
    for (metric, cost) in costs {
      for part in parts { site.note(cost * part / copied, of: metric, phase) }
    }
    try end()
  }

  private func copy<Clock: WallClock>(
    _ fill: Double, on site: WorkSite<some Backend, Clock>
  ) throws {
    try site.measure(.checkpoint) { try log.checkpoint() }
    for metric in Self.shared {
      guard let cost = site.last(metric, of: .checkpoint) else { continue }
      costs[metric, default: 0] += cost
    }
    copied += fill
  }
}

/// Measures how much of a log each write fills, while no write copies the log.
class LogMeter {
  /// The metrics of a checkpoint that writes share.
  fileprivate static let shared: [Metric] = [.wall, .cpu] + Probe.fileIO.metrics
  fileprivate let log: any LogKeeping
  fileprivate let isTimed: Bool
  private var before = 0.0

  /// Returns nil if the backend has no log, and in warm-up.
  init?<Clock: WallClock>(
    of backend: some Backend, on site: WorkSite<some Backend, Clock>
  ) throws {
    guard !site.isWarmUp, let log = backend as? any LogKeeping else { return nil }
    try log.deferCheckpoints(true)
    guard log.logFill != nil else { return nil }
    self.log = log
    isTimed = site.isTimed
  }

  fileprivate func mark() { before = log.logFill ?? 0 }

  /// The part of the log that the write since `mark()` filled.
  fileprivate var added: Double {
    let now = log.logFill ?? 0
    // A copied log starts from empty with the next write.
    return now >= before ? now - before : now
  }

  /// Leaves copying the log to the commits that fill it, as before.
  func end() throws { try log.deferCheckpoints(false) }
}

extension Phase {
  /// Copying a full log into the store, if there is a log.
  static let checkpoint = Phase("checkpoint", ofSome: true)
}
