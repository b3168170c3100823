import Testing

@testable import BenchAnalysis

@Suite("A line through points has the slope and the interval of textbooks")
struct LeastSquaresTests {
  @Test(
    "Student's t agrees with published tables",
    arguments: [
      (1, 0.95, 12.706), (2, 0.95, 4.303), (3, 0.95, 3.182), (4, 0.95, 2.776), (5, 0.95, 2.571),
      (10, 0.95, 2.228), (30, 0.95, 2.042), (2, 0.99, 9.925), (5, 0.99, 4.032), (10, 0.9, 1.812),
    ])
  func studentT(_ freedom: Int, _ level: Double, _ expected: Double) throws {
    #expect(try abs(#require(Statistics.studentT(level, freedom)) - expected) < 0.0005)
  }

  @Test("Without degrees of freedom, or at level 0, there is no t")
  func noT() {
    #expect(Statistics.studentT(0.95, 0) == nil)
    #expect(Statistics.studentT(0, 5) == nil)
    #expect(Statistics.studentT(1, 5) == nil)
    #expect(Statistics.studentT(.nan, 5) == nil)
  }

  @Test("Points on a line have its slope and no uncertainty")
  func exactLine() throws {
    let line = try #require(Statistics.line([(x: 1, y: 5), (x: 2, y: 7), (x: 3, y: 9)]))
    #expect(line.slope == 2)
    #expect(line.interval == Interval(low: 2, high: 2))
  }

  @Test("The interval is computed from the residuals")
  func residuals() throws {
    // The slope is 1.5, the residuals 0.5, -1, 0.5, the error √(1.5 / 1 / 2), and t of one degree
    // 12.7062.
    let line = try #require(Statistics.line([(x: 0, y: 1), (x: 1, y: 1), (x: 2, y: 4)]))
    #expect(line.slope == 1.5)
    let interval = try #require(line.interval)
    #expect(abs(interval.low - (1.5 - 12.7062 * 0.75.squareRoot())) < 0.001)
    #expect(abs(interval.high - (1.5 + 12.7062 * 0.75.squareRoot())) < 0.001)
  }

  @Test("Two points have a slope and no interval, and one point, or all at one x, has neither")
  func tooFew() throws {
    let line = try #require(Statistics.line([(x: 0, y: 1), (x: 2, y: 4)]))
    #expect(line.slope == 1.5)
    #expect(line.interval == nil)
    #expect(Statistics.line([(x: 0, y: 1)]) == nil)
    #expect(Statistics.line([(x: 3, y: 1), (x: 3, y: 2), (x: 3, y: 3)]) == nil)
  }
}
