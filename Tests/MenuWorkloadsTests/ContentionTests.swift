import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

@Suite("Reads at a fixed rate")
struct TimetableTests {
  private func timetable(rate: Int, _ clock: ManualClock) -> Timetable<ManualClock> {
    Timetable(.reads(rate), from: clock.now(), clock: clock) { time in
      let now = clock.now()
      if time > now { clock.advance(by: time - now) }
    }
  }

  /// Ten reads. The first takes the given time, and the others take none.
  private func latencies(stall: UInt64, rate: Int, check: UInt64 = 0) -> [UInt64] {
    let clock = ManualClock(start: 5_000)
    var timetable = timetable(rate: rate, clock)
    return (0..<10).map { read in
      timetable.waitForNext()
      return timetable.take {
        if read == 0 { clock.advance(by: stall) }
      } check: {
        if read == 0 { clock.advance(by: check) }
      }
    }
  }

  @Test("count from their due times, so that a stall delays all reads that become due")
  func omission() {
    #expect(
      latencies(stall: 1_000_000_000, rate: 10)
        == [1_000, 900, 800, 700, 600, 500, 400, 300, 200, 100].map { $0 * 1_000_000 })
  }

  @Test("count from their due times even if they still wait at the end")
  func overdue() {
    let clock = ManualClock(start: 5_000)
    var timetable = timetable(rate: 10, clock)
    let first = timetable.take({ clock.advance(by: 250_000_000) }, check: { _ in })
    #expect(first == 250_000_000)
    #expect(timetable.overdue(at: 5_000 + 250_000_000) == [150_000_000, 50_000_000])
    #expect(timetable.overdue(at: 5_000 + 99_999_999) == [])
  }

  @Test("load their reader only while they run, not while they wait or are checked")
  func load() {
    let clock = ManualClock(start: 5_000)
    var timetable = timetable(rate: 10, clock)
    for milliseconds: UInt64 in [250, 20] {
      timetable.waitForNext()
      _ = timetable.take {
        clock.advance(by: milliseconds * 1_000_000)
      } check: {
        clock.advance(by: 5_000_000)
      }
    }
    #expect(timetable.load == ReadingLoad(reads: 2, busy: 270_000_000))
    #expect(timetable.load.utilisation(at: 10) == 135)
    #expect(ReadingLoad(reads: 10, busy: 50_000_000).utilisation(at: 120) == 60)
    #expect(ReadingLoad(reads: 10, busy: 50_000_000).rate == 200)
    #expect(ReadingLoad().utilisation(at: 120) == nil)
  }

  @Test("are not late because the check of the one before took long")
  func checks() {
    #expect(
      latencies(stall: 40_000_000, rate: 10, check: 3_000_000_000)
        == [40_000_000] + [UInt64](repeating: 0, count: 9))
    #expect(
      latencies(stall: 150_000_000, rate: 10, check: 3_000_000_000)
        == [150_000_000, 50_000_000] + [UInt64](repeating: 0, count: 8))
  }

  @Test("do not drift at a rate that does not divide a second")
  func drift() {
    var timetable = timetable(rate: 3, ManualClock(start: 5_000))
    for _ in 0..<3 {
      timetable.waitForNext()
      _ = timetable.take {
      } check: {
      }
    }
    #expect(timetable.due == 1_000_005_000)
  }

  @Test("meet replacements at every distance, the same way every time")
  func rhythm() {
    for rate in [1, 60, 120, 1_000] {
      let interval = 1_000_000_000 / UInt64(rate)
      let widest = min(interval, 97_000_000)
      let due = (0..<10).map(Pace.replacements(beside: rate).offset)
      #expect((0..<10).map(Pace.replacements(beside: rate).offset) == due)
      for (number, time) in due.enumerated() {
        let earliest = UInt64(number + 1) * 97_000_000
        #expect((earliest..<earliest + widest).contains(time))
      }
      // In each half of the time between two reads, and no two at the same distance from one.
      let distances = due.map { $0 % interval }
      #expect(Set(distances).count == 10)
      if rate > 10 { #expect(Set(distances.map { $0 < interval / 2 }) == [true, false]) }
    }
  }
}

@Suite("Latencies")
struct LatenciesTests {
  @Test("have a 99th percentile that 99 of 100 do not exceed")
  func percentile() {
    #expect([UInt64](1...1_000).p99 == 990)
    #expect(([UInt64](1...1_001).reversed() as [UInt64]).p99 == 991)
    #expect([UInt64]().p99 == nil)
  }

  @Test("have an excess with readers, the difference of two medians, never below 0")
  func excess() {
    let cases: [([UInt64], [UInt64], Double?)] = [
      ([5, 900, 7], [4, 1, 9], 3), ([5, 900, 7], [8], 0), ([1, 2], [1], 0.5),
      ([4, 2, 1, 3], [2, 3, 1], 0.5), ([1], [], nil), ([], [1], nil),
    ]
    for (times, others, excess) in cases { #expect(times.excess(over: others) == excess) }
  }
}

@Suite("contention")
struct ContentionTests {
  private let menu = WorkloadStage.menu
  private var quick: ContentionWorkload {
    var workload = ContentionWorkload()
    workload.rate = 200
    workload.replacements = 1
    return workload
  }

  @Test(
    "reads during every backend's writes, or alternates with them",
    arguments: BackendRegistry.all)
  func backends(entry: BackendEntry<Menu>) throws {
    var workload = quick
    workload.readers = 3
    let outcome = try WorkloadStage.run(workload, on: entry, times: 2)
    #expect(outcome.notes("read", .tornReads) == [0, 0])
    // On a machine that is busy with other tests, some cannot keep up.
    let isRefused = outcome.skipped["read"]?.hasPrefix("cannot keep up: ") == true
    #expect(isRefused || outcome.notes("read").count >= 6)
    let used = outcome.notes("service", .utilisation)
    #expect(
      used.count == 2 && used.allSatisfy { $0 > 0 } && isRefused == used.contains { $0 >= 100 })
    #expect(outcome.notes("replace").count == 2)
    #expect(outcome.notes("replace-alone").count == 2)
    let delays = outcome.notes("writer-delay")
    #expect(delays.count == 2 && delays.allSatisfy { $0 >= 0 })
    #expect(outcome.stored == outcome.expected)
  }

  @Test("replaces as often as chosen")
  func replacements() throws {
    var workload = quick
    workload.replacements = 3
    let outcome = try WorkloadStage.run(workload, on: .memory)
    #expect(outcome.notes("replace").count == 3)
    #expect(outcome.notes("replace-alone").count == 2)
    #expect(outcome.stored == menu)
  }

  @Test("has a 99th percentile with enough reads, and otherwise says how many there are")
  func percentile() throws {
    var workload = quick
    workload.rate = 1_100
    let enough = try WorkloadStage.run(workload, on: .memory)
    #expect(enough.notes("read-p99").count == 1)
    #expect(enough.skipped["read-p99"] == nil)
    workload.rate = 1_000
    let few = try WorkloadStage.run(workload, on: .memory)
    #expect(few.notes("read-p99") == [])
    #expect(
      few.skipped["read-p99"] == """
        a pass makes 97 reads, but a 99th percentile needs 100: raise contention:rate, readers or \
        replacements
        """)
    let standard = ContentionWorkload()
    #expect(standard.rate * standard.replacements * 97 / 1_000 == 116)
  }

  @Test("gives no latencies if readers cannot keep up, but the rate of reads that they reached")
  func overload() throws {
    var workload = quick
    workload.readers = 2
    let outcome = try WorkloadStage.run(workload, on: SlowReads.around(.memory))
    #expect(outcome.notes("read") == [] && outcome.notes("read-p99") == [])
    let utilisation = outcome.notes("service", .utilisation)
    #expect(utilisation.count == 1 && utilisation.allSatisfy { $0 >= 400 })
    #expect(outcome.notes("service").count == 1)
    // The figure by which they are ranked: at 200 reads a second each, 100 % is 5 ms for a read.
    #expect(
      zip(outcome.notes("service"), utilisation).allSatisfy { abs($0 / 50_000 - $1) < 1e-9 * $1 })
    let reason = try #require(outcome.skipped["read"])
    #expect(outcome.skipped["read-p99"] == reason)
    let match = try #require(reason.wholeMatch(of: /cannot keep up: (\d+) of 400 reads a second/))
    #expect(Int(match.1).map { (1...100).contains($0) } == true)
    #expect(outcome.notes("replace").count == 1)
  }

  @Test("is the only workload with its own threads, which may use every processor in a gate")
  func threads() {
    #expect(WorkloadRegistry.all.filter(\.runsThreads).map(\.name) == ["contention"])
  }

  @Test("lets readers read while the network brings the next menu")
  func preparation() throws {
    let log = Log()
    let backend = Preparing(MemoryBackend<Menu>())
    try backend.save(menu)
    backend.log = log
    let turns = TicketLock()
    var writer = MenuWriter(backend, try Revisions(menu), turns)
    backend.whenPreparing = { turns.withTurn { log.add("turn") } }
    let timetable = Timetable(.reads(1_000), from: 0, clock: ManualClock()) { _ in }
    _ = try writer.replace(1, by: timetable) {}
    // A turn can be had each time: it is not the writer's.
    #expect(log.lines == ["prepare", "turn", "write", "prepare", "turn"])
    #expect(writer.last == 1)
    try writer.checkLast(byValue: true)
    try writer.restore()
    #expect(try backend.whole() == menu)
  }

  @Test("names its routes, and whether reads and writes alternate")
  func routes() throws {
    let workload = ContentionWorkload()
    func routes(_ backend: some Backend<Menu>) -> [Route?] {
      workload.phases.map { workload.route(of: $0, on: backend) }
    }
    func reading(_ reading: Route, _ writing: Route) -> [Route?] {
      [reading, reading, reading, writing, nil, writing]
    }
    #expect(routes(MemoryBackend<Menu>()) == reading(.wholeMenu, .inTurns))
    let held = try BackendEntry<Menu>.cachedJSON.open(
      StoreContext(folder: "none", durability: .none))
    #expect(routes(held) == reading(.held, .native))
    for (durability, route) in [(Durability.none, Route.inTurns), (.atomic, .native)] {
      let json = try BackendEntry<Menu>.json.open(
        StoreContext(folder: ".", durability: durability))
      #expect(routes(json) == reading(.wholeMenu, route))
    }
  }

  @Test(
    "reads during the write of a file that is renamed when whole, and otherwise alternates",
    arguments: Durability.allCases)
  func files(durability: Durability) throws {
    for entry: BackendEntry<Menu> in [.json, .plist, .protobuf, .jsonZstd, .rawResponse] {
      var workload = quick
      workload.rate = 1_000
      workload.readers = 2
      let outcome = try WorkloadStage.run(workload, on: entry, durability: durability)
      #expect(outcome.notes("read", .tornReads) == [0])
      #expect(outcome.stored == menu)
    }
  }

  @Test("stores revisions in which no product is the same")
  func editions() throws {
    let revisions = try Revisions(menu)
    let products = revisions.menus.map(\.document.products)
    #expect(products[0].count == products[1].count)
    for (old, new) in zip(products[0], products[1]) {
      #expect(old.availability != new.availability)
      #expect(zip(old.variants, new.variants).allSatisfy { $0.price != $1.price })
      #expect(old.variants.count == new.variants.count)
    }
    try revisions.menus[1].document.validate()
    #expect(revisions.fault(in: .menu(revisions.menus[1].document), id: 3) == nil)
    #expect(revisions.fault(in: .product(nil), id: 3) == "product 3 was missing")
    #expect(throws: WorkloadFailure("the menu has no product to read")) {
      try Revisions(Menu(id: 1, revision: 1, locale: "", currency: "", city: ""))
    }
  }

  @Test("fails on torn, missing, stale or lost menus, and with the error of any side")
  func faults() throws {
    let torn = #"\d+ of \d+ reads were torn while the menu was replaced: "#
    let cases: [(BackendEntry<Menu>, String)] = [
      (
        .torn { TornBackend() },
        torn + #"a menu of revision .* was not whole: products\[0\]\.availability: .*"#
      ),
      (.torn { TornProducts() }, torn + #"product \d+ was of neither revision"#),
      (.torn { TornProducts(isGone: true) }, torn + #"product \d+ was missing"#),
      (
        StaleReaders.around(.json),
        "a reader keeps an older menu: it does not see the last version of product "
          + "\(menu.products[0].id)"
      ),
      (
        HalfStale.around(.json),
        "the whole menu of a reader after the last replacement differs from what was written: .*"
      ),
      (
        .torn { LossyBackend(.forgets) },
        "the last of the replacements differs from what was written: revision: .*"
      ),
      (.torn { LossyBackend(.failsReader) }, "read the/file: it is being written"),
      (.torn { LossyBackend(.failsWriter) }, "write the/file: no space"),
    ]
    for (entry, said) in cases {
      let failure = WorkloadStage.complaint(of: quick, on: entry) ?? ""
      #expect(try Regex(said).wholeMatch(in: failure) != nil, "\(failure)")
    }
  }
}

extension BackendEntry<Menu> {
  /// A backend that misbehaves.
  fileprivate static func torn(
    _ make: @escaping @Sendable () -> some Backend<Menu> & SendableMetatype
  ) -> Self { BackendEntry(id: "torn", summary: "misbehaves") { _ in make() } }
}

/// Keeps the menu before, too.
private class Remembering: Backend {
  private(set) var menus: [Menu] = []

  func encode(_ document: Menu) -> Menu { document }
  func write(_ payload: Menu) { menus = menus.suffix(1) + [payload] }
  func read() -> Menu { menus[menus.count - 1] }
  func decode(_ payload: Menu) -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a test") }
}

/// Keeps the first half of the products of the menu before.
private final class TornBackend: Remembering {
  override func read() -> Menu {
    var menu = super.read()
    let half = menu.products.count / 2
    menu.products[..<half] = menus[0].products[..<half]
    return menu
  }
}

/// Finds products with the first variant of the menu before, or does not find them at first.
private final class TornProducts: Remembering, ProductReading {
  private let isGone: Bool

  init(isGone: Bool = false) { self.isGone = isGone }

  func product(_ id: Int) -> Product? {
    guard !isGone, var product = read().product(id), let old = menus[0].product(id) else {
      return nil
    }
    product.variants[0] = old.variants[0]
    return product
  }
}

/// The events, in order.
private final class Log {
  var lines: [String] = []
  func add(_ line: String) { lines.append(line) }
}

/// Tells when it is prepared, and when it writes.
private final class Preparing: Wrapper {
  var log: Log?
  var whenPreparing: () -> Void = {}

  override func prepare(_ document: Menu) {
    log?.add("prepare")
    whenPreparing()
  }

  override func write(_ payload: Menu) throws {
    log?.add("write")
    try super.write(payload)
  }
}

/// Takes 20 ms and more to read.
private final class SlowReads: Wrapper {
  override func read() throws -> Menu {
    usleep(20_000)
    return try super.read()
  }
}

/// Its readers find every product as it is, and read the whole menu as it was.
private final class HalfStale: Wrapper, ConcurrentReading {
  func openReader() throws -> any Backend<Menu> {
    let reader = Reader(inner)
    reader.old = try inner.whole()
    return reader
  }

  private final class Reader: Wrapper, ProductReading {
    var old: Menu?

    override func read() throws -> Menu { try old ?? inner.whole() }
    func product(_ id: Int) throws -> Product? { try inner.whole().product(id) }
    override func close() {}
  }
}

/// Keeps menus whole, and fails in one way from the third replacement on.
private final class LossyBackend: Backend {
  enum Fault { case forgets, failsReader, failsWriter }

  private let fault: Fault
  private var menu: Menu?
  private var writes = 0

  init(_ fault: Fault) { self.fault = fault }

  func encode(_ document: Menu) -> Menu { document }

  func write(_ payload: Menu) throws {
    writes += 1
    // The store's first menu, the replacement without readers, the one with readers.
    guard writes == 3 else { return menu = payload }
    switch fault {
    case .forgets: break
    case .failsReader: menu = payload
    case .failsWriter:
      throw StoreError(operation: "write", path: "the/file", reason: "no space")
    }
  }

  func read() throws -> Menu {
    guard let menu, fault != .failsReader || writes < 2 else {
      throw StoreError(operation: "read", path: "the/file", reason: "it is being written")
    }
    return menu
  }

  func decode(_ payload: Menu) -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("a test") }
}
