import BenchAnalysis
import BenchResults
import Synchronization

/// Predicts after a gate's first interim analysis what it can detect and when. Checks that at the end.
final class SensitivityForecast: Sendable {
  private struct State {
    /// The time when the first pair was asked for.
    var began: ContinuousClock.Instant?
    var foreseen: [DetectableChange] = []
    var isOver = false
  }

  private let state = Mutex(State())
  private let made = ContinuousClock.now
  /// Seconds after which no further interim analysis begins.
  private let budget: Double

  init(budget: Double) {
    self.budget = budget
  }

  /// Takes the test before more pairs are measured. The first call comes before any pair.
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

  /// Formats the prediction: `on this machine, now, half of the times show changes of 2.4 % after 1 min,
  /// …`. It covers the interim analyses for which there is time after the pairs measured so far.
  static func outlook(
    _ sights: [DetectableChange], pairs: Int, secondsPerPair: Double, left: Double
  ) -> [String] {
    guard !sights.isEmpty else { return [] }
    let held = sights.filter { secondsPerPair * Double($0.pairs - pairs) <= max(left, 0) }
    guard let last = held.last else {
      return ["--budget ends this gate before its times show any change"]
    }
    let parts = held.map { sight in
      "\(change(sight.half)) after \(Wording.wait(secondsPerPair * Double(sight.pairs)))"
    }
    let rest = sights.count > held.count ? ". More pairs would exceed --budget" : ""
    return [
      "on this machine, now, half of the times show changes of \(parts.joined(separator: ", of "))"
        + ". By then, three in four show changes of \(change(last.most)), and "
        + "\(last.leastSensitive.cell) \(last.leastSensitive.phase) of \(change(last.least))\(rest)"
    ]
  }

  /// Compares the result with the prediction.
  static func account(_ seen: DetectableChange, foreseen: DetectableChange) -> String {
    "the forecast was changes of \(change(foreseen.half)) in half of the times, and "
      + "\(Wording.plural(seen.pairs, "pair")) showed \(change(seen.half))"
  }

  private static func change(_ ratio: Double) -> String {
    ratio.isFinite ? Wording.percent(ratio - 1) : "no size"
  }
}
