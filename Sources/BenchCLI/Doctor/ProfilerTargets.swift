import BenchAnalysis
import BenchProbes
import BenchProfiles
import BenchResults
import Foundation
import MenuModel
import MenuSources

/// What the project promises of its profiler, measured: a part of `bench doctor --targets`.
struct ProfilerTargets {
  private let profiler: StackProfiler
  private let menu = Menu(shape: MenuShape(.medium))
  private static let phase = "work"

  /// - Throws: ``Unsupported`` where no stacks can be taken.
  init() throws(Unsupported) {
    profiler = try StackProfiler(.every(nanoseconds: 1_000_000))
  }

  /// Gives one finding a promise, each as soon as it is known; one for all where nothing can be sampled here.
  static func find(_ found: (Finding) throws -> Void) throws {
    let targets: ProfilerTargets
    do throws(Unsupported) {
      targets = try ProfilerTargets()
    } catch {
      return try found(Finding(.unknown, "profiler", "unsupported: \(error)"))
    }
    for promise in [targets.overhead, targets.share, targets.difference] { try found(promise()) }
  }

  /// Deep stacks as a coder has them, since each is followed to its end.
  private func overhead() -> Finding {
    let promise = "sampling a phase costs at most 5 % of its time"
    let (clock, work) = (MonotonicClock(), { try? JSONEncoder().encode(menu) })
    func timed(_ work: () -> Void) -> Double {
      let start = clock.now()
      work()
      return Double(clock.now() &- start)
    }
    let ratios = (0..<60).map { pair in
      // In turn, since the machine's speed changes.
      var times = (bare: 0.0, sampled: 0.0)
      for half in 0..<2 {
        if (pair + half).isMultiple(of: 2) {
          times.bare = timed { for _ in 0..<4 { blackHole(work()) } }
        } else {
          times.sampled = timed {
            profiler.perform(Self.phase) { for _ in 0..<4 { blackHole(work()) } }
          }
        }
      }
      profiler.forget()
      return times.sampled / times.bare
    }
    guard let summary = Summary(blocks: ratios.map { [$0] }), let interval = summary.interval else {
      return Finding(.unknown, promise, "nothing was measured")
    }
    func percent(_ ratio: Double) -> String { Wording.percent(ratio - 1) }
    return Finding(
      summary.p50 <= 1.05 ? .fine : .doubt, promise,
      "\(percent(summary.p50)) (95 % interval \(percent(interval.low)) to \(percent(interval.high)))"
    )
  }

  /// A function with three tenths of the work, a hundred times.
  private func share() -> Finding {
    let (truth, times) = (0.3, 100)
    var (within, covered) = (0, 0)
    for _ in 0..<times {
      let profile = sampled {
        for _ in 0..<100 {
          PlantedWork.planted(3_000)
          PlantedWork.other(7_000)
        }
      }
      let row = FunctionCosts(profile).rows.first { $0.frame.name.hasPrefix(PlantedWork.name) }
      guard let row, let interval = row.interval else { continue }
      within += abs(row.share - truth) <= 0.03 ? 1 : 0
      covered += interval.contains(truth) ? 1 : 0
    }
    return Finding(
      within >= 95 && covered >= 95 ? .fine : .doubt,
      "a planted function is found within 3 points of its share, which its interval covers 95 times of 100",
      "within 3 points \(within) times of \(times), covered \(covered) times")
  }

  /// A function that was there and takes a twentieth of the whole more, beside a coder's many.
  private func difference() -> Finding {
    let times = 20
    var first = 0
    for _ in 0..<times {
      let before = sampled { for _ in 0..<40 { encode(planting: 0.1) } }
      let now = sampled { for _ in 0..<40 { encode(planting: 0.15) } }
      let rows = ProfileDifference(from: before, to: now).rows
      first += rows.first.map { $0.frame.name.hasPrefix(PlantedWork.name) } == true ? 1 : 0
    }
    return Finding(
      first >= 19 ? .fine : .doubt,
      "a function that takes 5 % more is named first by the difference of two profiles, in 19 of 20",
      "\(first) of \(times)")
  }

  private func encode(planting part: Double) {
    let clock = MonotonicClock()
    let start = clock.now()
    blackHole(try? JSONEncoder().encode(menu))
    PlantedWork.planted(during: Double(clock.now() &- start) * part, by: clock)
  }

  private func sampled(_ work: () -> Void) -> Profile {
    profiler.forget()
    profiler.perform(Self.phase, work)
    return Profile(
      profiler.profiles(),
      cell: Cell(backend: "none", menu: "medium", workload: "none", durability: "none"),
      phase: Self.phase, readable: OwnExecutable.path)
  }
}

/// Work with a known share of the time.
private enum PlantedWork {
  static let name = "PlantedWork.planted"

  @inline(never)
  static func planted(_ rounds: Int) {
    var value = UInt64(rounds)
    for round in 0..<UInt64(rounds) * 100 { value = (value ^ round) &* 0x9E37_79B9_7F4A_7C15 }
    blackHole(value)
  }

  @inline(never)
  static func other(_ rounds: Int) {
    var value = UInt64(rounds)
    for round in 0..<UInt64(rounds) * 100 { value = (value ^ round) &* 0xBF58_476D_1CE4_E5B9 }
    blackHole(value)
  }

  /// For so many nanoseconds, with nothing called that often is: a reading of the clock each hundred.
  @inline(never)
  static func planted(during nanoseconds: Double, by clock: MonotonicClock) {
    let start = clock.now()
    while Double(clock.now() &- start) < nanoseconds { planted(20) }
  }
}
