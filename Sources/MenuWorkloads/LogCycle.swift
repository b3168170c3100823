import BackendKit
import BenchDocuments
import BenchEngine
import BenchProbes

/// A backend's log, whose checkpoints are measured apart from the commits that would have made them.
///
/// A backend that keeps a log copies it into its store in one commit out of many. That commit is not left
/// to chance: the log is copied apart, once a block, when the workload's own writes have filled it, and
/// every write is charged with the share of that checkpoint which its part of the log is.
final class LogCycle: LogMeter {
  /// Fills the log, and measures the checkpoint, unless this site measured one before.
  ///
  /// Nil of a backend without a log; in warm-up, which keeps no figures; and where something is counted.
  ///
  /// - Parameter write: writes as the workload does, the time of this number; what is stored after it may
  ///   be any menu that the workload goes on from.
  /// - Throws: what `write` throws; ``WorkloadFailure`` where 10,000 writes do not fill the log.
  init?<Clock: WallClock>(
    on site: WorkSite<some Backend, Clock>, filling write: (Int) throws -> Void
  ) throws {
    try super.init(of: site.backend, on: site)
    if site.lastWall(.checkpoint) == nil { try fill(on: site, by: write) }
  }

  private func fill<Clock: WallClock>(
    on site: WorkSite<some Backend, Clock>, by write: (Int) throws -> Void
  ) throws {
    // From an empty log on, so that the same writes fill it alike each time.
    try log.checkpoint()
    for turn in 0... {
      try write(turn)
      site.surroundings.beat()
      guard let fill = log.logFill, fill < 1 else { break }
      guard turn < 10_000 else {
        throw WorkloadFailure("10,000 writes filled \(Int(fill * 100)) % of the log")
      }
    }
    // The last write overfilled the log; shares are of this checkpoint by as much.
    let fill = log.logFill ?? 1
    try site.measure(.checkpoint) { try log.checkpoint() }
    site.keep(fill, for: .checkpoint)
  }

  /// Takes note that a write to charge is about to begin, and copies the log where it is full.
  func begin() throws {
    if let fill = log.logFill, fill >= 1 { try log.checkpoint() }
    mark()
  }

  /// Charges the write done since ``begin()`` with its share of a checkpoint, noted as `phase`.
  ///
  /// - Returns: the share, in nanoseconds.
  @discardableResult
  func charge<Clock: WallClock>(_ phase: Phase, on site: WorkSite<some Backend, Clock>) -> Double {
    guard let whole = site.lastWall(.checkpoint), let full = site.kept(for: .checkpoint)
    else { return 0 }
    let share = whole * added / full
    site.note(share, phase)
    return share
  }

  /// The phase of the shares, which count into a cost of the workload.
  static func share(of cost: String?) -> Phase {
    Phase("checkpoint-share", decides: cost != nil, as: cost, ofSome: true, isCounted: false)
  }
}

/// The log of a store that is written many times over in one pass: it is copied apart whenever it is full,
/// and at the end of the pass each write is charged with its share of all that.
final class LogLedger: LogMeter {
  private var parts: [Double] = []
  private var copied = 0.0
  private var cost = 0.0

  /// Takes note that a write to charge is about to begin, and copies the log where it is full.
  func begin<Clock: WallClock>(on site: WorkSite<some Backend, Clock>) throws {
    if let fill = log.logFill, fill >= 1 { try copy(fill, on: site) }
    mark()
  }

  /// Takes note of what the write done since then added.
  func add() { parts.append(added) }

  /// Notes every write's share, in their order; copies what is left in the log if nothing was copied yet.
  func settle<Clock: WallClock>(_ phase: Phase, on site: WorkSite<some Backend, Clock>) throws {
    if copied == 0, let fill = log.logFill, fill > 0 { try copy(fill, on: site) }
    for part in parts { site.note(copied > 0 ? cost * part / copied : 0, phase) }
    try end()
  }

  private func copy<Clock: WallClock>(
    _ fill: Double, on site: WorkSite<some Backend, Clock>
  ) throws {
    try site.measure(.checkpoint) { try log.checkpoint() }
    cost += site.lastWall(.checkpoint) ?? 0
    copied += fill
  }
}

/// How much of a log each write fills, none of which copies it.
class LogMeter {
  fileprivate let log: any LogKeeping
  private var before = 0.0

  /// Nil of a backend without a log; in warm-up, which keeps no figures; and where something is counted.
  init?<Clock: WallClock>(
    of backend: some Backend, on site: WorkSite<some Backend, Clock>
  ) throws {
    guard !site.isWarmUp, site.isTimed, let log = backend as? any LogKeeping else { return nil }
    try log.deferCheckpoints(true)
    guard log.logFill != nil else { return nil }
    self.log = log
  }

  fileprivate func mark() { before = log.logFill ?? 0 }

  /// What the write done since then added.
  fileprivate var added: Double {
    let now = log.logFill ?? 0
    // A log that was copied begins anew with the next write.
    return now >= before ? now - before : now
  }

  /// Leaves the log to the commits that fill it, as it was.
  func end() throws { try log.deferCheckpoints(false) }
}

extension Phase {
  /// Copying a full log into the store: timed, where there is one, and not counted.
  static let checkpoint = Phase("checkpoint", isCounted: false)
}
