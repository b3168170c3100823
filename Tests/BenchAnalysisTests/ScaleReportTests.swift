import BenchResults
import Foundation
import Testing

@testable import BenchAnalysis

/// Menus of these sizes, and one cost of any backends by a menu's size.
private struct Sizes {
  static let five = [100, 1_000, 10_000, 100_000, 1_000_000]

  var options = five
  var blocks = 8
  /// By how much blocks differ from their middle at most, as a share of it.
  var spread = 0.01

  func scale(_ costs: [String: (Double) -> Double?]) -> ScaleReport {
    var record = run(
      options.flatMap { size in
        costs.keys.sorted().compactMap { backend in
          costs[backend]?(Double(size)).map { series($0, backend, size) }
        }
      }, backends: costs.keys.sorted().map { info($0) })
    record.menus = options.map(menu)
    return ScaleReport(record: record)
  }

  func menu(_ size: Int) -> MenuInfo {
    MenuInfo(
      name: "menu-\(size)", source: "shape", fingerprint: "00000000000000aa",
      counts: [.init(of: "products", count: 9), .init(of: "slot options", count: size)]
    ).with(\.sizedBy, "slot options")
  }

  private func series(_ value: Double, _ backend: String, _ size: Int) -> Series {
    wall(
      value, spread: spread, blocks: blocks, phase: "combo",
      in: cell(backend, "combo", menu: "menu-\(size)"))
  }
}

@Suite("Growth of costs is fitted, and growth that is worse than linear gets a warning")
struct ScaleReportTests {
  private func curve(_ scale: ScaleReport, _ backend: String = "json") throws -> GrowthCurve {
    try #require(scale.costs.first?.curves.first { $0.backend == backend })
  }

  @Test("The fit recovers a power of the size without scatter", arguments: [0.5, 1, 1.5, 2])
  func power(exponent: Double) throws {
    let curve = try curve(Sizes(spread: 0).scale(["json": { 1_000 * pow($0, exponent) }]))
    let whole = try #require(curve.whole)
    #expect(abs(whole.exponent - exponent) < 1e-9)
    let interval = try #require(whole.interval)
    #expect(interval.high - interval.low < 1e-6)
    #expect(whole.sizes == Interval(low: 100, high: 1_000_000))
    let end = try #require(curve.largeEnd)
    #expect(abs(end.exponent - exponent) < 1e-9)
    #expect(end.interval != nil && end.fewBlocks == nil)
    #expect(end.sizes == Interval(low: 10_000, high: 1_000_000))
    #expect(abs(end.tenfold - pow(10, exponent)) < 1e-6)
  }

  @Test("A fixed cost flattens the curve of all sizes, not that of the large ones")
  func fixedCost() throws {
    let scale = Sizes().scale(["json": { 1_000_000 + 100 * $0 }])
    let curve = try curve(scale)
    let (whole, end) = (try #require(curve.whole), try #require(curve.largeEnd))
    #expect(whole.exponent < 0.6)
    // A bend is neither scatter nor a line, as the interval shows.
    let interval = try #require(whole.interval)
    #expect(interval.high - interval.low > 0.3)
    #expect(end.exponent > 0.8 && end.exponent < 1)
    #expect(scale.conclusions.isEmpty)
  }

  @Test("Quadratic growth gets a warning that explains it")
  func square() throws {
    let scale = Sizes(options: [100, 1_000, 10_000], spread: 0).scale(["json": { 10 * $0 * $0 }])
    #expect(
      scale.conclusions == [
        Conclusion(
          .warning,
          "combo/combo of json at durability atomic grows worse than linearly: exponent 2.00 (2.00"
            + " to 2.00) over 100 to 10,000 slot options, so 10 times the menu costs 100× as much")
      ])
  }

  @Test("The fit of the large sizes finds a square term that only matters there")
  func late() throws {
    let scale = Sizes().scale(["json": { 100 * $0 + 0.001 * $0 * $0 }])
    #expect(scale.conclusions.map(\.severity) == [.warning])
    #expect(try #require(curve(scale).whole?.interval).low < 1)
  }

  @Test("Linear growth gets no warning, however much the blocks differ")
  func noise() {
    let scale = Sizes(blocks: 12, spread: 0.3).scale(["json": { 1_000 * $0 }])
    #expect(scale.conclusions.isEmpty)
  }

  @Test("Growth that looks worse and is not proven is called unproven")
  func unproven() throws {
    let wide = Sizes(options: [1_000, 10_000, 100_000], blocks: 8, spread: 0.9).scale([
      "json": { $0 < 100_000 ? 1_000 * $0 : 1_400 * $0 }
    ])
    #expect(wide.conclusions.map(\.severity) == [.hint])
    #expect(wide.conclusions[0].text.hasPrefix("combo/combo of json at durability atomic looks"))
    #expect(wide.conclusions[0].text.hasSuffix("slot options, which does not exclude 1"))
    let few = Sizes(blocks: 2).scale(["json": { pow($0, 1.2) }])
    #expect(try curve(few).largeEnd?.interval == nil)
    #expect(try curve(few).verdict == .unproven)
    #expect(
      few.conclusions.map(\.text).first?.hasSuffix(
        "slot options, and a proof takes 3 blocks") == true)
  }

  @Test("An exact figure is certain without several blocks")
  func exactFigure() throws {
    let sizes = Sizes(options: [100, 1_000, 10_000])
    var record = run(
      sizes.options.map {
        stored(Double($0) * Double($0), of: "json", menu: "menu-\($0)")
      }, backends: [info("json")])
    record.menus = sizes.options.map(sizes.menu)
    let scale = ScaleReport(record: record)
    let curve = try curve(scale)
    #expect(scale.costs.map(\.column.title) == ["stored_bytes"])
    #expect(curve.largeEnd?.interval == nil && curve.largeEnd?.fewBlocks == nil)
    #expect(curve.verdict == .worse)
    #expect(scale.conclusions[0].text.contains("exponent 2.00 (exact) over"))
  }

  @Test("A size without a figure is left out with its reason, and never counts as 0")
  func gaps() throws {
    var record = Sizes().scale(["json": { $0 == 10_000 ? nil : 1_000 * $0 }]).record
    record.failures = [
      Failure(cell: cell("json", "combo", menu: "menu-10000"), stage: nil, reason: "it hung")
    ]
    let curve = try curve(ScaleReport(record: record))
    #expect(curve.points.map(\.gap) == [nil, nil, "failed: it hung", nil, nil])
    #expect(try abs(#require(curve.whole).exponent - 1) < 1e-9)
    #expect(curve.largeEnd?.sizes == Interval(low: 1_000, high: 1_000_000))
    #expect(curve.largeEndSizes == [1_000, 100_000, 1_000_000])
  }

  @Test("Figures below the clock's own cost are left out, because they would seem not to grow")
  func tooSmall() throws {
    var record = Sizes(spread: 0).scale(["json": { $0 }]).record
    record.machine.emptySample = 120
    let curve = try curve(ScaleReport(record: record))
    let small = "is too small to measure"
    #expect(curve.points.map(\.gap) == [small, small, nil, nil, nil])
  }

  @Test("Two sizes get no fit, since they always lie on a line")
  func twoSizes() throws {
    let scale = Sizes(options: [100, 1_000]).scale(["json": { $0 * $0 * $0 }])
    #expect(try curve(scale).whole == nil)
    #expect(try curve(scale).largeEnd == nil)
    #expect(scale.conclusions.isEmpty)
  }

  @Test("Sizes are sorted, and the first of two menus of one size counts")
  func order() {
    var record = Sizes(options: [10_000, 100, 1_000]).scale(["json": { $0 }]).record
    var twin = record.menus[1]
    twin.name = "twin"
    record.menus.append(twin)
    let scale = ScaleReport(record: record)
    #expect(scale.noun == "slot options")
    #expect(scale.menus.map(\.size) == [100, 1_000, 10_000])
    #expect(scale.menusOfEqualSize == ["twin"])
  }
}

@Suite("The size at which another of two costs becomes the lower one")
struct CrossoverTests {
  private func crossovers(
    _ sizes: Sizes, _ json: @escaping (Double) -> Double?, _ lmdb: @escaping (Double) -> Double?
  ) -> [Crossover] {
    sizes.scale(["json": json, "lmdb": lmdb]).costs[0].crossovers
  }

  @Test("Two powers cross where both are equal")
  func known() throws {
    // Level at 31,623: 1,000 √size = size × 1,000 / √31,623.
    let level = pow(10, 4.5)
    let found = crossovers(
      Sizes(), { 1_000 * $0 / level.squareRoot() }, { 1_000 * $0.squareRoot() })
    let only = try #require(found.first)
    #expect(found.count == 1)
    #expect((only.from, only.to) == (["json"], ["lmdb"]))
    #expect((only.below, only.above) == (10_000, 100_000))
    #expect(try abs(#require(only.about) / level - 1) < 1e-9)
    #expect(only.isProven)
  }

  @Test("A size at which both are too close to call is skipped")
  func tie() throws {
    let found = crossovers(
      Sizes(options: [100, 1_000, 10_000], spread: 0), { 10 * $0 }, { 10_000 + 0 * $0 })
    let only = try #require(found.first)
    #expect(found.count == 1)
    #expect((only.below, only.above) == (100, 10_000))
    #expect(try abs(#require(only.about) / 1_000 - 1) < 1e-9)
  }

  @Test("Noise around a tie is not a crossover")
  func noise() {
    let odd: (Double) -> Double? = { $0 * ($0 == 1_000 ? 1_040 : $0 == 10_000 ? 960 : 1_000) }
    #expect(crossovers(Sizes(), odd, { 1_000 * $0 }).isEmpty)
    let wide: (Double) -> Double? = { $0 * ($0 == 1_000 ? 1_200 : $0 == 10_000 ? 800 : 1_000) }
    #expect(crossovers(Sizes(spread: 0.6), wide, { 1_000 * $0 }).isEmpty)
  }

  @Test("Two crossovers are both found, and a missing size is skipped")
  func twice() {
    let wave: (Double) -> Double? = {
      $0 == 1_000 ? nil : $0 * ($0 == 10_000 ? 2_000 : 500)
    }
    let found = crossovers(Sizes(), wave, { 1_000 * $0 })
    #expect(found.map(\.to) == [["lmdb"], ["json"]])
    #expect(found.map(\.below) == [100, 10_000])
    #expect(found.map(\.above) == [10_000, 100_000])
  }

  @Test("With one block a crossover is unproven")
  func unproven() {
    let found = crossovers(Sizes(blocks: 1), { 10 * $0 }, { 1_000 + $0 })
    #expect(found.map(\.isProven) == [false])
  }
}
