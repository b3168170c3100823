import BenchResults
import Testing

@testable import BenchAnalysis
@testable import BenchCLI

@Suite("The forecast of a gate, and its account")
struct SensitivityForecastTests {
  private func sight(_ pairs: Int, _ half: Double, least: Double = 1.4) -> DetectableChange {
    DetectableChange(
      pairs: pairs, half: half, most: 1.12,
      leastSensitive: Series.Key(cell: cell(), phase: "read", metric: "wall"), least: least)
  }

  @Test("Before the gate measures on, it predicts sizes, times and the least sensitive time")
  func foreseen() {
    #expect(
      SensitivityForecast.outlook(
        [sight(12, 1.08), sight(32, 1.05)], pairs: 12, secondsPerPair: 5, left: 100) == [
          "on this machine, now, half of the times show changes of 8.0 % after 60 s, of 5.0 % after 3 min. "
            + "By then, three in four show changes of 12 %, and "
            + "json/large/roundtrip/atomic read of 40 %"
        ])
    #expect(
      SensitivityForecast.outlook(
        [sight(12, 1.08, least: .infinity)], pairs: 12, secondsPerPair: 1, left: 1)[0]
        .hasSuffix(" read of no size"))
    #expect(SensitivityForecast.outlook([], pairs: 12, secondsPerPair: 1, left: 1) == [])
  }

  @Test("It promises no analysis that the budget does not allow")
  func budget() {
    let sights = [sight(12, 1.08), sight(20, 1.06), sight(32, 1.05)]
    func words(_ left: Double, pairs: Int = 12) -> [String] {
      SensitivityForecast.outlook(sights, pairs: pairs, secondsPerPair: 5, left: left)
    }
    #expect(
      words(99) == [
        "on this machine, now, half of the times show changes of 8.0 % after 60 s, of 6.0 % after 2 min. "
          + "By then, three in four show changes of 12 %, and "
          + "json/large/roundtrip/atomic read of 40 %"
          + ". More pairs would exceed --budget"
      ])
    // The first look is held in any case.
    #expect(words(-5)[0].contains("of 8.0 % after 60 s. By then, three in four"))
    #expect(
      words(9, pairs: 10) == ["--budget ends this gate before its times show any change"])
  }

  @Test("At its end it says what all pairs showed")
  func account() {
    #expect(
      SensitivityForecast.account(sight(30, 1.042), foreseen: sight(32, 1.05))
        == "the forecast was changes of 5.0 % in half of the times, and 30 pairs showed 4.2 %")
  }
}
