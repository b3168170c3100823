import BenchAnalysis
import BenchResults
import Foundation
import Testing

@testable import BenchReports

@Suite("The formats of a profile")
struct ProfileFormatTests {
  static let profile = Profile(
    what: .cpu,
    cell: Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic"),
    phase: "encode",
    measures: [
      Profile.Measure(id: "cpu", unit: .nanoseconds, sample: 1_000_000),
      Profile.Measure(id: "waited", unit: .nanoseconds, sample: 1_000_000),
    ],
    frames: [
      Profile.Frame(name: "Codec.encode(_:)", module: "BackendKit", owner: .program),
      Profile.Frame(name: "a;b \"<i>\"", module: "libFoundation.so", owner: .foundation),
      Profile.Frame(name: "libx.so+0x12", module: "libx.so", owner: .library, isNamed: false),
    ],
    stacks: [
      Profile.Stack(frames: [], values: [[2e6, 0]]),
      Profile.Stack(frames: [0], values: [[10e6, 1e6]]),
      Profile.Stack(frames: [0, 1], values: [[30e6, 0]]),
      Profile.Stack(frames: [0, 1, 1, 2], values: [[8e6, 0]]),
    ],
    facts: {
      var facts = Profile.Facts()
      (facts.blocks, facts.runs, facts.wall, facts.taken) = (1, 5, 51e6, 51)
      return facts
    }())

  @Test("have a line for each collapsed stack, whatever its names contain")
  func collapsed() {
    #expect(
      ProfileFormats.collapsed(Self.profile) == """
        encode 2000000
        encode;Codec.encode(_:) 10000000
        encode;Codec.encode(_:);a:b "<i>" 30000000
        encode;Codec.encode(_:);a:b "<i>";a:b "<i>";libx.so+0x12 8000000

        """)
  }

  @Test("compare two profiles in a graph with signs, removed functions, and a table of changes")
  func difference() {
    var before = Self.profile
    before.frames.append(
      Profile.Frame(name: "Codec.old(_:)", module: "BackendKit", owner: .program))
    before.stacks[1].values = [[40e6, 0]]
    before.stacks.append(Profile.Stack(frames: [0, 3], values: [[9e6, 0]]))
    let names = (old: "HEAD~1", new: "HEAD")
    let page = FlameGraph(from: before, to: Self.profile, names: names, speed: .given).page
    #expect(
      page.contains("<title>json · small · roundtrip · encode, cpu: from HEAD~1 to HEAD</title>"))
    #expect(page.contains("<p>Codec.encode(_:) changed most, −6.00 ms per run. "))
    #expect(page.contains("box less3") && page.contains("− Codec.encode(_:)"))
    #expect(page.contains("Removed calls") && page.contains("− Codec.old(_:)"))
    #expect(page.contains("encode (phase): 10.0 ms per run, −7.80 ms from 17.8 ms"))
    let document = DifferenceDocument(
      from: before, to: Self.profile, names: names, speed: .given)
    let text = document.text(width: 80)
    #expect(
      text.hasPrefix(
        "small · roundtrip · encode: 17.8 ms with HEAD~1, 10.0 ms with HEAD, −7.80 ms per\n"))
    #expect(text.contains("Increases\n\nnone"))
    #expect(text.contains("−6.00 ms") && text.contains("* Codec.encode(_:)"))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
    #expect(document.markdown.contains("## Decreases"))
  }

  @Test("compare profiles of calls by their number, not by their time")
  func calls() {
    var before = Self.profile
    before.what = .io
    before.measures = [Profile.Measure(id: "time", unit: .nanoseconds)]
    before.frames = (0..<20).map {
      Profile.Frame(name: "write \($0)", module: "kernel", owner: .kernel)
    }
    before.stacks = (0..<20).map { Profile.Stack(frames: [$0], values: [[5e6]]) }
    var now = before
    for index in now.stacks.indices { now.stacks[index].values = [[10e6]] }
    func text() -> String {
      let document = DifferenceDocument(from: before, to: now, names: (old: "a", new: "b"))
      return document.text(width: 80).replacing(/\s+/, with: " ")
    }
    #expect(text().contains("≈ +1.00 ms"))
    #expect(text().contains("; ≈: may be chance, because calls were timed in one process each;"))
    #expect(text().contains("; 5 more functions in profile.html"))
    (before.measures[0], now.measures[0]) = (
      Profile.Measure(id: "calls", unit: .count), Profile.Measure(id: "calls", unit: .count)
    )
    #expect(text().contains(" +1,000,000 ") && !text().contains("≈"))
  }

  @Test("have a table for each phase of several backends, whole in 80 columns")
  func shares() {
    var (long, other) = (Self.profile, Self.profile)
    (long.cell.backend, other.phase) = ("object-graph-faulting", "decode")
    let text = CostSharesDocument([long, other]).text(width: 80)
    #expect(
      text.hasPrefix("Time by kind of code: small · roundtrip · atomic\n\nencode\n\nbackend "))
    let row = "object-graph-faulting  10.2 ms  82 %     16 %  0.0 %   0.0 %   0.0 %  2.0 %"
    #expect(text.contains("\n\(row)\n\ndecode\n\nbackend "))
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("use the singular for one stack")
  func plural() {
    var profile = Self.profile
    (profile.facts.taken, profile.facts.cut, profile.facts.lost) = (1, 1, 0)
    profile.facts.dropped = 1
    let text = ProfileDocument(profile).text(width: 140)
    #expect(text.contains("\n• 0.0 % of 1 stack reach the phase's own frame; 1 too deep\n"))
    #expect(text.contains("\n• left out, as the buffer was full: 1 stack\n"))
  }

  @Test("add up costs by function, once for each stack, with an interval for samples")
  func functions() throws {
    let costs = FunctionCosts(Self.profile)
    #expect(costs.whole == 50e6)
    let rows = costs.rows
    #expect(rows.map(\.own) == [30e6, 10e6, 8e6])
    #expect(rows.map(\.total) == [38e6, 48e6, 8e6])
    let interval = try #require(rows[0].interval)
    #expect(interval.low < 0.6 && interval.high > 0.6)
    // 30 of 50 by Clopper and Pearson.
    #expect(abs(interval.low - 0.4518) < 0.001 && abs(interval.high - 0.7359) < 0.001)
  }

  @Test("show which share has a name")
  func named() throws {
    let named = Self.profile.named()
    #expect(named.own == 1)
    #expect(try #require(named.all) == 40.0 / 48)
  }

  @Test("escape names on a page, and fetch nothing")
  func page() {
    let page = FlameGraph(Self.profile).page
    #expect(page.contains("a;b &quot;&lt;i&gt;&quot;"))
    #expect(!page.contains("<i>"))
    #expect(!page.contains("http"))
    #expect(page.components(separatedBy: "class=\"box ").count == 6)
  }
}
