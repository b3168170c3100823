import BenchProbes
import BenchResults
import MenuModel
import PersistenceBackends

/// `contention`: readers at a fixed rate while a writer replaces the menu.
///
/// Readers have threads, and store handles of their own where the backend offers them. Where it does
/// not, readers and writer take turns on the one handle, first come, first served: what an app with
/// one context and one queue has. A reader asks for a product, or for the whole menu where the backend
/// knows no less; what it gets must be wholly of one of the two revisions.
///
/// All figures are times noted by the workload itself: with several threads at work no counter could
/// say what one of them cost.
public struct ContentionWorkload: Workload {
  /// `contention`.
  public let name = "contention"
  /// What it tells.
  public let summary =
    "readers at a fixed rate while a writer replaces the menu: latency from when a read was due"
  /// Every read; the 99th percentile of an iteration's reads; every replacement while they read, and
  /// without them: the writer's delay is the difference of the latter two.
  public let phases = [
    Phase("read"), Phase("read-p99"), Phase("replace"), Phase("replace-alone"),
  ]
  /// The menu is there.
  public let beginsStored = true
  /// One lasts as long as a whole block of others.
  public let leastSamples = 1

  var rate = 60
  var readers = 1
  var replacements = 2

  /// The readers and their rate, and how often the menu is replaced.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "rate", \.rate, in: 1...10_000, standard: 60, "reads a second of each reader"),
      WorkloadParameter("readers", \.readers, in: 1...8, standard: 1, "readers, a thread each"),
      WorkloadParameter(
        "replacements", \.replacements, in: 1...1_000, standard: 2,
        "how often an iteration replaces the menu, ten times a second or as fast as it can"),
    ]
  }

  /// Makes the workload.
  public init() {}

  /// Two revisions of which no product is the same.
  public func plan(for menu: Menu) throws -> Editions { try Editions(menu) }

  /// How a reader reads; and whether it does so beside the writer or in turns with it.
  public func route<B: Backend>(ofPhase phase: Int, on backend: B) -> Route?
  where B.Document == Menu {
    switch phase {
    case Self.read, Self.readP99: MenuAccess(backend).productRoute
    case Self.replace: backend is any ConcurrentReading ? .native : .inTurns
    default: nil
    }
  }

  /// Replaces the menu alone, then while others read, and ends with the menu that it began with.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by editions: Editions
  ) throws where B.Document == Menu {
    let concurrent = site.backend as? any ConcurrentReading
    let turnstile = concurrent == nil ? Turnstile() : nil
    var writer = MenuWriter(site.backend, editions, turnstile)
    for _ in 0..<replacements {
      site.surroundings.beat()
      site.recorder.note(Double(try writer.replace()), of: .wall, phase: Self.replaceAlone)
    }
    let handles = try (0..<readers).map { _ in try concurrent?.openMenuReader() ?? site.backend }
    defer { if concurrent != nil { for handle in handles { try? handle.close() } } }
    let screens = handles.enumerated().map { index, handle in
      MenuReader(editions, from: handle, through: turnstile, seed: UInt64(index + 1))
    }
    for time in try write(&writer, beside: screens, site.surroundings.beat) {
      site.recorder.note(Double(time), of: .wall, phase: Self.replace)
    }
    try judge(screens, site.recorder)
    try writer.checkLast()
  }

  /// Replaces the menu while others read.
  ///
  /// - Returns: the time of each replacement, waiting for a turn included.
  private func write<B: Backend>(
    _ writer: inout MenuWriter<B>, beside screens: [MenuReader], _ beat: () -> Void
  ) throws -> [UInt64] {
    let (crew, finish) = (Crew(), Finish())
    // In a moment, when every thread is there.
    let start = MonotonicClock().now() + 2_000_000
    for (index, screen) in screens.enumerated() {
      let offset = UInt64(index) * 1_000_000_000 / UInt64(rate * readers)
      crew.start { [rate] in
        let timetable = Timetable(
          rate: rate, from: start + offset, clock: MonotonicClock(), wait: Pause.until)
        screen.run(timetable, until: finish)
      }
    }
    defer {
      finish.set(MonotonicClock().now())
      crew.join(beat)
    }
    return try (1...replacements).map { turn in
      beat()
      Pause.until(start + UInt64(turn) * 100_000_000)
      return try writer.replace()
    }
  }

  private func judge<Clock: WallClock>(
    _ screens: [MenuReader], _ recorder: PhaseRecorder<Clock>
  ) throws {
    if let failure = screens.lazy.compactMap(\.failure).first { throw failure }
    var latencies = Latencies()
    for screen in screens { latencies.add(screen.latencies) }
    for latency in latencies.values { recorder.note(latency, of: .wall, phase: Self.read) }
    recorder.note(latencies.p99, of: .wall, phase: Self.readP99)
    let torn = screens.reduce(0) { $0 + $1.torn }
    recorder.note(Double(torn), of: .tornReads, phase: Self.read)
    if let fault = screens.lazy.compactMap(\.fault).first {
      throw WorkloadFailure(
        "\(torn) of \(latencies.count) reads were torn while the menu was replaced: \(fault)")
    }
  }

  private static let read = 0
  private static let readP99 = 1
  private static let replace = 2
  private static let replaceAlone = 3
}
