import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// `contention`: readers at a fixed rate while a writer replaces the menu.
///
/// Readers have threads, and their own store handles if the backend offers them. Otherwise readers
/// and the writer take turns on the one handle, first come, first served, as in an app with one
/// context and one queue. A reader asks for a product, or for the whole menu if the backend can't
/// read less. All that it gets must belong to one of the two revisions, and at the end to the last.
///
/// Readers that can't keep to their rate have no latencies, which would be as long as the test. The
/// mean duration of a read, waiting for its turn included, is known for all, so backends are ranked
/// by it (`service`). Its inverse is the rate that a reader reaches. The share of time for which
/// readers work follows from it (`utilisation`). From 100 % on they can't keep up.
///
/// All figures are times noted by the workload itself: with several threads at work, no counter
/// could attribute costs to one of them. A read's latency counts from its due time, a replacement's
/// time from when it began to wait for its turn.
package struct ContentionWorkload: Workload {
  package let name = "contention"
  package let summary =
    "readers at a fixed rate while a writer replaces the menu: latency from a read's due time"
  /// The mean duration of a pass's reads, each read from its due time, and their 99th percentile
  /// per pass. Each replacement while readers read, and at the same pace without them. The writer's
  /// delay, one figure per pass: the difference of the two medians, at least 0.
  package let phases: [Phase] = [
    .service, .read, .readP99, .replace, .replaceAlone, .writerDelay,
  ]
  package let beginsStored = true
  /// One iteration takes as long as a whole block of other workloads.
  package let leastSamples = 1
  package let runsThreads = true
  /// Every backend flushes each replacement, so their times can be compared.
  package let ownDurability = Durability.durable

  var rate = 120
  var readers = 1
  var replacements = 10

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "rate", \.rate, in: 1...10_000, standard: 120,
        "reads per second and reader, like the frames of a fast screen"),
      WorkloadParameter("readers", \.readers, in: 1...8, standard: 1, "readers, a thread each"),
      WorkloadParameter(
        "replacements", \.replacements, in: 1...1_000, standard: 10,
        "replacements per pass with readers, one every 97 ms, and half as many without"),
    ]
  }

  package init() {}

  /// Returns two revisions in which no product is the same.
  package func plan(for menu: Menu) throws -> Revisions { try Revisions(menu) }

  /// Returns how a reader reads, and whether it reads while the writer writes or in turns with it.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    let access = MenuAccess(backend)
    return switch phase {
    case .service, .read, .readP99: access.named(access.productRoute)
    case .replace, .writerDelay: backend.concurrent == nil ? .inTurns : .native
    default: nil
    }
  }

  /// Replaces the menu alone, then while others read, and ends with the first menu.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by revisions: Revisions
  ) throws {
    let (concurrent, heartbeat) = (site.backend.concurrent, site.surroundings.heartbeat)
    let turns = concurrent == nil ? TicketLock() : nil
    var writer = MenuWriter(site.backend, revisions, turns)
    // Checking needs fewer replacements than measuring.
    let replacements = site.isWarmUp ? min(replacements, 3) : replacements
    let alone = try writer.replace(
      (replacements + 1) / 2, by: timetable(replacing, from: MonotonicClock().now()), heartbeat)
    let handles = try (0..<self.readers).map { _ in try concurrent?.openMenuReader() ?? site.backend
    }
    defer { if concurrent != nil { for handle in handles { try? handle.close() } } }
    let readers = handles.enumerated().map { index, handle in
      MenuReader(revisions, from: handle, inTurns: turns, seed: UInt64(index + 1))
    }
    // As for a screen in use, each handle has done its one-time work.
    for reader in readers { try reader.readOnce() }
    let beside = try write(replacements, by: &writer, beside: readers, heartbeat)
    try judge(readers, on: site)
    try writer.checkLast(byValue: site.isWarmUp)
    for reader in readers { try reader.check(sees: writer.last, byValue: site.isWarmUp) }
    note(beside, alone, on: site)
    try writer.restore()
  }

  private var replacing: Pace { .replacements(beside: rate) }

  private func timetable(_ pace: Pace, from start: UInt64) -> Timetable<MonotonicClock> {
    Timetable(pace, from: start, clock: MonotonicClock(), wait: Pause.until)
  }

  /// Replaces the menu while others read.
  ///
  /// - Returns: the duration of each replacement, waiting for a turn included.
  private func write<B: Backend>(
    _ replacements: Int, by writer: inout MenuWriter<B>, beside readers: [MenuReader],
    _ heartbeat: () -> Void
  ) throws -> [UInt64] {
    let threads = ReaderThreads()
    // Starts in 2 ms, so that every thread is ready.
    let start = MonotonicClock().now() + 2_000_000
    for (index, reader) in readers.enumerated() {
      let first = start + UInt64(index) * 1_000_000_000 / UInt64(rate * readers.count)
      threads.start { reader.run(timetable(.reads(rate), from: first), until: threads) }
    }
    defer { threads.finish(at: MonotonicClock().now(), heartbeat) }
    return try writer.replace(replacements, by: timetable(replacing, from: start), heartbeat)
  }

  private func judge<Clock: WallClock>(
    _ readers: [MenuReader], on site: WorkSite<some Backend, Clock>
  ) throws {
    if let failure = readers.lazy.compactMap(\.failure).first { throw failure }
    let latencies = readers.flatMap(\.latencies)
    var load = ReadingLoad()
    for reader in readers { load.add(reader.load) }
    note(latencies, load, on: site)
    let torn = readers.reduce(0) { $0 + $1.torn }
    site.note(Double(torn), of: .tornReads, .read)
    if let fault = readers.lazy.compactMap(\.fault).first {
      throw WorkloadFailure(
        "\(torn) of \(latencies.count) reads were torn while the menu was replaced: \(fault)")
    }
  }

  private func note<Clock: WallClock>(
    _ latencies: [UInt64], _ load: ReadingLoad, on site: WorkSite<some Backend, Clock>
  ) {
    if let utilisation = load.utilisation(at: rate) {
      site.note(load.service, .service)
      site.note(utilisation, of: .utilisation, .service)
      guard utilisation < 100 else {
        let reached = Int((load.rate * Double(readers)).rounded(.down))
        let reason = "cannot keep up: \(reached) of \(rate * readers) reads a second"
        site.skip(.read, because: reason)
        return site.skip(.readP99, because: reason)
      }
    }
    for latency in latencies.sorted() { site.note(Double(latency), .read) }
    // Depends on the settings, not on the outcome: a block's passes must be of one kind.
    let reads = readers * rate * replacements * Int(Pace.replacementInterval) / 1_000_000_000
    guard let p99 = latencies.p99, reads >= 100 else {
      return site.skip(
        .readP99,
        because: "a pass makes \(reads) reads, but a 99th percentile needs 100: "
          + "raise contention:rate, readers or replacements")
    }
    site.note(p99, .readP99)
  }

  private func note<Clock: WallClock>(
    _ beside: [UInt64], _ alone: [UInt64], on site: WorkSite<some Backend, Clock>
  ) {
    for time in beside { site.note(Double(time), .replace) }
    for time in alone { site.note(Double(time), .replaceAlone) }
    guard let delay = beside.excess(over: alone) else { return }
    site.note(delay, .writerDelay)
  }
}

extension Phase {
  fileprivate static let service = Phase("service", decides: true)
  fileprivate static let read = Phase("read")
  fileprivate static let readP99 = Phase("read-p99")
  fileprivate static let replace = Phase("replace", decides: true, saves: true)
  fileprivate static let replaceAlone = Phase("replace-alone")
  fileprivate static let writerDelay = Phase("writer-delay")
}

/// Two revisions of a menu that share no product, so that a read that belongs to neither was torn.
package struct Revisions: Sendable {
  let menus: [Fixture<Menu>]
  /// The products' ids, in the menu's order.
  let products: [Int]
  private let checksums: [Int: [Checksum]]

  /// Makes another revision in which every price and every product's availability differs.
  ///
  /// - Throws: ``WorkloadFailure`` if the menu has no products.
  init(_ menu: Menu) throws {
    guard !menu.products.isEmpty else { throw WorkloadFailure("the menu has no product to read") }
    let other = try menu.otherRevision()
    menus = [Fixture(menu), Fixture(other)]
    products = menu.products.map(\.id)
    checksums = Dictionary(
      zip(menu.products, other.products).map {
        ($0.id, [Checksum(of: $0.visit), Checksum(of: $1.visit)])
      },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the fault in what a reader got of a product, or of the whole menu. Returns nil if all
  /// of it belongs to one of the revisions.
  func fault(in found: ReadResult, id: Int) -> String? {
    switch found {
    case .product(nil): return "product \(id) was missing"
    case .product(let product?):
      guard checksums[id]?.contains(Checksum(of: product.visit)) != true else { return nil }
      return "product \(id) was of neither revision"
    case .menu(let menu):
      let fingerprint = menu.fingerprint
      guard !menus.contains(where: { $0.fingerprint == fingerprint }) else { return nil }
      let claimed = menus.first { $0.document.revision == menu.revision } ?? menus[0]
      return "a menu of revision \(menu.revision) was not whole: "
        + difference(claimed.document, menu)
    }
  }

  /// Whether what a reader got belongs to the revision with this number, 0 or 1.
  func isOf(_ number: Int, _ found: ReadResult, id: Int) -> Bool {
    switch found {
    case .product(let product):
      product.map { Checksum(of: $0.visit) == checksums[id]?[number] } ?? false
    case .menu(let menu): menu.fingerprint == menus[number].fingerprint
    }
  }
}

extension Menu {
  /// Returns the next revision, with another price of every variant and another availability of
  /// every product. It has as many parts, and nearly as many bytes.
  fileprivate func otherRevision() throws -> Menu {
    var other = self
    try other.apply(
      MenuPatch(
        revision: revision ^ 1,
        prices: products.flatMap(\.variants).map { .init(variantID: $0.id, price: $0.price ^ 1) },
        availability: products.map {
          .init(productID: $0.id, availability: $0.availability.next)
        }))
    return other
  }
}

extension Product.Availability {
  fileprivate var next: Self {
    switch self {
    case .available: .comboOnly
    case .comboOnly: .hidden
    case .hidden: .available
    }
  }
}
