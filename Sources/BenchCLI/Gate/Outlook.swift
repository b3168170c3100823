import BenchAnalysis
import BenchResults
import Synchronization

/// Says after a gate's first look what it will be able to see and when, and at its end whether that was so.
final class Outlook: Sendable {
  private struct State {
    /// When the first pair was asked for.
    var began: ContinuousClock.Instant?
    var foreseen: [Sight] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let made = ContinuousClock.now
  /// How many seconds a gate may have gone on for where a further look begins.
  private let budget: Double

  init(budget: Double) {
    self.budget = budget
  }

  /// Takes what is known before more pairs are measured; the test of no pairs first.
  func note(_ test: SequentialTest) {
    let lines = state.withLock { state -> [String] in
      guard let began = state.began else {
        state.began = .now
        return []
      }
      var lines: [String] = []
      if state.foreseen.isEmpty, let first = test.pairs.values.max(), first > 0 {
        state.foreseen = test.foreseen(from: first)
        lines.append(
          contentsOf: Self.outlook(
            state.foreseen, pairs: first,
            secondsPerPair: began.duration(to: .now) / .seconds(1) / Double(first),
            left: budget - made.duration(to: .now) / .seconds(1)))
      }
      if !state.isOver, case .done = test.nextStep, let seen = test.seen {
        state.isOver = true
        if let then = state.foreseen.first(where: { $0.pairs >= seen.pairs }) {
          lines.append(Self.account(seen, foreseen: then))
        }
      }
      return lines
    }
    for line in lines { Console.note(line) }
  }

  /// `on this machine, now, half of the times show changes of 2.4 % after 1 min, …`: at the looks for which there is
  /// time, once so many pairs are measured.
  static func outlook(
    _ sights: [Sight], pairs: Int, secondsPerPair: Double, left: Double
  ) -> [String] {
    guard !sights.isEmpty else { return [] }
    let held = sights.filter { secondsPerPair * Double($0.pairs - pairs) <= max(left, 0) }
    guard let last = held.last else {
      return ["--budget ends this gate before its times show any change"]
    }
    let parts = held.map { sight in
      "\(change(sight.half)) after \(Wording.wait(secondsPerPair * Double(sight.pairs)))"
    }
    let rest = sights.count > held.count ? "; what more pairs show is beyond --budget" : ""
    return [
      "on this machine, now, half of the times show changes of \(parts.joined(separator: ", of ")), "
        + "three in four then of \(change(last.most)); "
        + "\(last.dullest.cell) \(last.dullest.phase) of \(change(last.least))\(rest)"
    ]
  }

  /// Whether it came as foreseen.
  static func account(_ seen: Sight, foreseen: Sight) -> String {
    "foreseen were changes of \(change(foreseen.half)) in half of the times; "
      + "\(Wording.plural(seen.pairs, "pair")) showed those of \(change(seen.half))"
  }

  private static func change(_ ratio: Double) -> String {
    ratio.isFinite ? Wording.percent(ratio - 1) : "no size"
  }
}
