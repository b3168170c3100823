import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel
import PersistenceBackends

/// `contention`: readers at a fixed rate while a writer replaces the menu.
///
/// Readers have threads, and store handles of their own where the backend offers them. Where it does
/// not, readers and writer take turns on the one handle, first come, first served: what an app with
/// one context and one queue has. A reader asks for a product, or for the whole menu where the backend
/// knows no less; what it gets must be wholly of one of the two revisions, and at the end of the last.
///
/// All figures are times noted by the workload itself: with several threads at work no counter could
/// say what one of them cost. Every time counts from when a read or a replacement was due.
public struct ContentionWorkload: Workload {
  /// `contention`.
  public let name = "contention"
  /// What it tells.
  public let summary =
    "readers at a fixed rate while a writer replaces the menu: latency from when a read was due"
  /// Every read; the 99th percentile of a pass's reads; every replacement while they read, and at the
  /// same pace without them; and the writer's delay, a figure a pass: by how much the median of the
  /// former is above that of the latter, 0 where it is not.
  public let phases = [
    Phase("read"), Phase("read-p99", decides: true), Phase("replace", decides: true),
    Phase("replace-alone"),
    Phase("writer-delay"),
  ]
  /// The menu is there.
  public let beginsStored = true
  /// One lasts as long as a whole block of others.
  public let leastSamples = 1

  var rate = 120
  var readers = 1
  var replacements = 10

  /// The readers and their rate, and how often the menu is replaced.
  public static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "rate", \.rate, in: 1...10_000, standard: 120,
        "reads a second of each reader, as many as a fast screen shows frames"),
      WorkloadParameter("readers", \.readers, in: 1...8, standard: 1, "readers, a thread each"),
      WorkloadParameter(
        "replacements", \.replacements, in: 1...1_000, standard: 10,
        "how often a pass replaces the menu beside readers, one every 97 ms; alone half as often"),
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
    case Self.replace, Self.writerDelay: backend.concurrent == nil ? .inTurns : .native
    default: nil
    }
  }

  /// Replaces the menu alone, then while others read, and ends with the menu that it began with.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by editions: Editions
  ) throws where B.Document == Menu {
    let (concurrent, beat) = (site.backend.concurrent, site.surroundings.beat)
    let turnstile = concurrent == nil ? Turnstile() : nil
    var writer = MenuWriter(site.backend, editions, turnstile)
    // To see that it is right takes fewer than to measure it.
    let replacements = site.care == .thorough ? min(replacements, 3) : replacements
    let alone = try writer.replace(
      (replacements + 1) / 2, by: timetable(replacing, from: MonotonicClock().now()), beat)
    let handles = try (0..<readers).map { _ in try concurrent?.openMenuReader() ?? site.backend }
    defer { if concurrent != nil { for handle in handles { try? handle.close() } } }
    let screens = handles.enumerated().map { index, handle in
      MenuReader(editions, from: handle, through: turnstile, seed: UInt64(index + 1))
    }
    let beside = try write(replacements, by: &writer, beside: screens, beat)
    try judge(screens, site.recorder)
    try writer.checkLast(site.care)
    for screen in screens { try screen.check(sees: writer.last, site.care) }
    note(beside, alone, in: site.recorder)
    try writer.restore()
  }

  private var replacing: Rhythm { .replacements(beside: rate) }

  private func timetable(_ rhythm: Rhythm, from start: UInt64) -> Timetable<MonotonicClock> {
    Timetable(rhythm, from: start, clock: MonotonicClock(), wait: Pause.until)
  }

  /// Replaces the menu while others read.
  ///
  /// - Returns: the time of each replacement from when it was due, waiting for a turn included.
  private func write<B: Backend>(
    _ replacements: Int, by writer: inout MenuWriter<B>, beside screens: [MenuReader],
    _ beat: () -> Void
  ) throws -> [UInt64] {
    let (crew, finish) = (Crew(), Finish())
    // In a moment, when every thread is there.
    let start = MonotonicClock().now() + 2_000_000
    for (index, screen) in screens.enumerated() {
      let first = start + UInt64(index) * 1_000_000_000 / UInt64(rate * readers)
      crew.start { screen.run(timetable(.reads(rate), from: first), until: finish) }
    }
    defer {
      finish.set(MonotonicClock().now())
      crew.join(beat)
    }
    return try writer.replace(replacements, by: timetable(replacing, from: start), beat)
  }

  private func judge<Clock: WallClock>(
    _ screens: [MenuReader], _ recorder: PhaseRecorder<Clock>
  ) throws {
    if let failure = screens.lazy.compactMap(\.failure).first { throw failure }
    var latencies = Latencies()
    for screen in screens { latencies.add(screen.latencies) }
    for latency in latencies.values { recorder.note(latency, of: .wall, phase: Self.read) }
    note(latencies.p99, in: recorder)
    let torn = screens.reduce(0) { $0 + $1.torn }
    recorder.note(Double(torn), of: .tornReads, phase: Self.read)
    if let fault = screens.lazy.compactMap(\.fault).first {
      throw WorkloadFailure(
        "\(torn) of \(latencies.count) reads were torn while the menu was replaced: \(fault)")
    }
  }

  private func note<Clock: WallClock>(_ p99: Double?, in recorder: PhaseRecorder<Clock>) {
    // By the settings and not by what happened: a block's passes must be of one kind.
    let reads =
      readers * rate * replacements * Int(Rhythm.replacementInterval) / 1_000_000_000
    guard let p99, reads >= 100 else {
      return recorder.skip(
        Self.readP99,
        because: "a pass makes \(reads) reads, and a 99th percentile takes 100: "
          + "raise contention:rate, readers or replacements")
    }
    recorder.note(p99, of: .wall, phase: Self.readP99)
  }

  private func note<Clock: WallClock>(
    _ beside: [UInt64], _ alone: [UInt64], in recorder: PhaseRecorder<Clock>
  ) {
    for time in beside { recorder.note(Double(time), of: .wall, phase: Self.replace) }
    for time in alone { recorder.note(Double(time), of: .wall, phase: Self.replaceAlone) }
    guard let delay = Latencies.excess(of: beside, over: alone) else { return }
    recorder.note(delay, of: .wall, phase: Self.writerDelay)
  }

  private static let read = 0
  private static let readP99 = 1
  private static let replace = 2
  private static let replaceAlone = 3
  private static let writerDelay = 4
}

/// Two revisions of a menu that share no product: what belongs to neither was torn.
public struct Editions: Sendable {
  /// The two menus with their fingerprints.
  let menus: [Fixture<Menu>]
  /// The products' ids, in the menu's order.
  let products: [Int]
  private let checksums: [Int: [Checksum]]

  /// Makes another revision in which every price and every product's availability differs.
  ///
  /// - Throws: ``WorkloadFailure`` where the menu has no products.
  init(_ menu: Menu) throws {
    guard !menu.products.isEmpty else { throw WorkloadFailure("the menu has no product to read") }
    let other = try menu.otherEdition()
    menus = [Fixture(menu), Fixture(other)]
    products = menu.products.map(\.id)
    checksums = Dictionary(
      zip(menu.products, other.products).map { ($0.id, [$0.checksum, $1.checksum]) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What is wrong with a product that was read; nil where it is wholly of one of the revisions.
  func fault(in product: Checksum?, id: Int) -> String? {
    guard let product else { return "product \(id) was not there" }
    guard checksums[id]?.contains(product) != true else { return nil }
    return "product \(id) was neither the one nor the other revision's"
  }

  /// Whether what a reader got of a product, or of all, is of this one of the two revisions.
  func isOf(_ edition: Int, _ found: Sighting, id: Int) -> Bool {
    switch found {
    case .product(let product): product != nil && product == checksums[id]?[edition]
    case .menu(let menu): menu.fingerprint == menus[edition].fingerprint
    }
  }

  /// What is wrong with a menu that was read; nil where it is wholly one of the revisions.
  func fault(in menu: Menu) -> String? {
    let fingerprint = menu.fingerprint
    guard !menus.contains(where: { $0.fingerprint == fingerprint }) else { return nil }
    let claimed = menus.first { $0.document.revision == menu.revision } ?? menus[0]
    let place = firstDifference(claimed.document, menu) ?? "the order or form of some part"
    return "a menu of revision \(menu.revision) was not all of it: \(place)"
  }
}

extension Menu {
  /// The next revision, with another price of every variant and another availability of every
  /// product: of as many parts, and of nearly as many bytes.
  fileprivate func otherEdition() throws -> Menu {
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

extension Product {
  fileprivate var checksum: Checksum {
    var checksum = Checksum()
    visit(&checksum)
    return checksum
  }
}

/// Threads that are waited for.
final class Crew: @unchecked Sendable {
  private let condition = NSCondition()
  private var working = 0

  /// Does the work on a thread of its own.
  func start(_ work: @escaping @Sendable () -> Void) {
    condition.withLock { working += 1 }
    let thread = Thread { [self] in
      work()
      condition.withLock {
        working -= 1
        condition.signal()
      }
    }
    // As much as the main thread has: a decoder may go deep.
    thread.stackSize = 8 << 20
    thread.start()
  }

  /// Waits until all of it is done; `beat` is called all the while.
  func join(_ beat: () -> Void) {
    condition.withLock {
      while working > 0 {
        beat()
        _ = condition.wait(until: Date(timeIntervalSinceNow: 0.5))
      }
    }
  }
}
