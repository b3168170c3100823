import BenchAnalysis
import BenchResults
import Foundation

/// Places figures along a line, and chooses its ticks.
struct Axis {
  /// Whether equal ratios have equal distances.
  private let isLogarithmic: Bool
  private let (low, high, start, end): (Double, Double, Double, Double)

  init(linearTo most: Double, from start: Double, to end: Double) {
    self.init(linearOver: 0...(most > 0 && most.isFinite ? most : 1), from: start, to: end)
  }

  init(linearOver range: ClosedRange<Double>, from start: Double, to end: Double) {
    isLogarithmic = false
    (low, high, self.start, self.end) = (range.lowerBound, range.upperBound, start, end)
  }

  /// Makes an axis over all figures above 0, with room at either end; from 1 to 10 if there are none.
  init(logarithmicOver values: [Double], from start: Double, to end: Double) {
    let positive = values.filter { $0 > 0 && $0.isFinite }
    let (least, most) = (positive.min() ?? 1, positive.max() ?? 10)
    // At least a quarter of a decade, so that two nearly equal figures look alike.
    let room = max(
      0.05 * (log10(most) - log10(least)), (0.25 - (log10(most) - log10(least))) / 2, 0.02)
    isLogarithmic = true
    (low, high, self.start, self.end) = (log10(least) - room, log10(most) + room, start, end)
  }

  /// Formats a tick: whole numbers in groups of three digits.
  static func number(_ tick: Double) -> String {
    tick == tick.rounded() ? Wording.count(tick) : tick.digits
  }

  /// Returns the place of a figure. Figures beyond the axis are placed at its end.
  func place(_ value: Double) -> Double {
    start + min(max((position(value) - low) / (high - low), 0), 1) * (end - start)
  }

  /// Returns whether a figure lies on the axis, not beyond one of its ends.
  func reaches(_ value: Double) -> Bool {
    let (position, slack) = (position(value), 1e-9 * (high - low))
    return position >= low - slack && position <= high + slack
  }

  private func position(_ value: Double) -> Double {
    isLogarithmic ? (value > 0 ? log10(value) : -.infinity) : value
  }

  func ticks(atMost most: Int = 5) -> [Double] {
    guard isLogarithmic else { return linearTicks(most, over: low...high) }
    let ticks = logarithmicTicks(most)
    // Within a small part of a decade, a logarithm is as good as straight.
    return ticks.count > 1 ? ticks : linearTicks(most, over: pow(10, low)...pow(10, high))
  }

  /// Returns as many ticks as can stand side by side with their names.
  func ticks(named name: (Double) -> String) -> [Double] {
    func areApart(_ ticks: [Double]) -> Bool {
      zip(ticks, ticks.dropFirst()).allSatisfy { one, next in
        let names = Drawing.width(ofSmall: name(one)) + Drawing.width(ofSmall: name(next))
        return place(next) - place(one) > names / 2 + 4
      }
    }
    return (3...5).reversed().map { ticks(atMost: $0) }.first(where: areApart) ?? ticks(atMost: 2)
  }

  private func linearTicks(_ most: Int, over range: ClosedRange<Double>) -> [Double] {
    let (low, high) = (range.lowerBound, range.upperBound)
    let rough = (high - low) / Double(max(most - 1, 1))
    // A range that is empty, tiny or infinite would give endless ticks.
    guard rough.isNormal else { return [low] }
    let power = pow(10, floor(log10(rough)))
    let step = ([1, 2, 5, 10].first { $0 * power >= rough } ?? 10) * power
    let slack = 1e-9 * (high - low)
    let first = ((low - slack) / step).rounded(.up)
    // Whole multiples of the step, so that no tick is slightly off its figure.
    return Array(stride(from: first, through: (high + slack) / step, by: 1)).map { $0 * step }
  }

  /// Returns powers of ten, with multiples of them as far as there is room. Too many powers are thinned out.
  private func logarithmicTicks(_ most: Int) -> [Double] {
    let decades = Int(low.rounded(.up))...max(Int(high.rounded(.down)), Int(low.rounded(.up)))
    for factors in [[1.0, 1.5, 2, 3, 5, 7], [1, 2, 5], [1, 3], [1]] {
      let ticks = (decades.lowerBound - 1...decades.upperBound + 1).flatMap { decade in
        factors.map { $0 * pow(10, Double(decade)) }
      }.filter { (low...high).contains(log10($0)) }
      if ticks.count <= most { return ticks }
    }
    let ticks = decades.map { pow(10, Double($0)) }
    let step = (ticks.count + most - 1) / most
    return ticks.enumerated().filter { $0.offset.isMultiple(of: step) }.map(\.element)
  }
}

extension Drawing {
  mutating func horizontalAxis(
    _ axis: Axis, top: Double, bottom: Double, ticks: [Double]? = nil, name: (Double) -> String
  ) {
    let ticks = ticks ?? axis.ticks(named: name)
    lines(through: ticks.map { [(axis.place($0), top), (axis.place($0), bottom)] }, style: "grid")
    for tick in ticks {
      let x = axis.place(tick)
      // A name that an edge would cut is moved inwards.
      let anchor: Anchor = x < 24 ? .start : x > Self.width - 24 ? .end : .middle
      text(name(tick), x, bottom + 12, anchor: anchor, style: "small")
    }
  }

  mutating func verticalAxis(
    _ axis: Axis, left: Double, right: Double, name: (Double) -> String
  ) {
    let ticks = axis.ticks()
    lines(through: ticks.map { [(left, axis.place($0)), (right, axis.place($0))] }, style: "grid")
    for tick in ticks {
      text(name(tick), left - 3, axis.place(tick) + 3, anchor: .end, style: "small")
    }
  }

  /// Draws an interval as a line with an end at either side. An end beyond the axis is an arrow.
  mutating func whisker(_ interval: Interval, _ y: Double, on axis: Axis) {
    let ends = [(interval.low, 4.0), (interval.high, -4.0)].map { value, inwards -> [Point] in
      let x = axis.place(value)
      return axis.reaches(value)
        ? [(x, y - 3), (x, y + 3)] : [(x + inwards, y - 4), (x, y), (x + inwards, y + 4)]
    }
    lines(
      through: [[(axis.place(interval.low), y), (axis.place(interval.high), y)]] + ends,
      style: "whisker")
  }
}
