import Basics
import BenchAnalysis
import BenchResults
import Testing

@Suite("The difference of two profiles")
struct ProfileDifferenceTests {
  private static func frame(_ name: String) -> Profile.Frame {
    let owner: Profile.Owner = ["memmove", "malloc"].contains(name) ? .system : .program
    return Profile.Frame(
      name: name, module: owner == .system ? "libc.so.6" : "Backend", owner: owner)
  }

  /// A profile of stacks such as `encode memmove`, each with its value.
  private static func profile(
    _ stacks: [(String, Double)], runs: Int = 1, sample: Double? = nil
  ) -> Profile {
    let names = Set(stacks.flatMap { $0.0.split(separator: " ").map(String.init) }).sorted()
    var facts = Profile.Facts()
    facts.runs = runs
    return Profile(
      what: sample == nil ? .allocations : .cpu,
      cell: Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic"),
      phase: "encode",
      measures: [
        Profile.Measure(id: "bytes", unit: sample == nil ? .bytes : .nanoseconds, sample: sample)
      ],
      frames: names.map(frame),
      stacks: stacks.map { path, value in
        Profile.Stack(
          frames: path.split(separator: " ").compactMap { names.firstIndex(of: String($0)) },
          values: [[value]])
      }, facts: facts)
  }

  @Test("is listed for each run, the largest growth first, and is exact for exact values")
  func exact() {
    let old = Self.profile([("a", 100), ("a b", 50), ("a c", 30)], runs: 1)
    let new = Self.profile([("a", 200), ("a b", 300), ("a d", 10)], runs: 2)
    let difference = ProfileDifference(from: old, to: new)
    #expect((difference.before, difference.now, difference.speed) == (180, 255, 1))
    #expect(difference.rows.map(\.frame.name) == ["b", "d", "a", "c"])
    #expect(difference.rows.map(\.change) == [100, 5, 0, -30])
    #expect(difference.rows.map(\.isClear) == [true, true, false, true])
    #expect(difference.rows.allSatisfy { $0.interval == nil })
  }

  @Test("can be listed by call site, since helpers work for their callers")
  func sites() {
    let old = Self.profile([("a", 100), ("a memmove", 50)])
    let new = Self.profile([("a", 100), ("a memmove", 50), ("a b memmove", 70), ("malloc", 5)])
    let sites = ProfileDifference(from: old, to: new, by: .site).rows
    #expect(sites.map(\.frame.name) == ["b", "malloc", "a"])
    #expect(sites.map(\.change) == [70, 5, 0])
    #expect(ProfileDifference(from: old, to: new).rows.first?.frame.name == "memmove")
  }

  @Test("tells a slower machine from more expensive functions")
  func speed() throws {
    let names = (0..<40).map { "f\($0)" }
    func profile(_ factor: Double, _ more: [String: Double]) -> Profile {
      Self.profile(
        names.map { ($0, 100 * factor * more[$0, default: 1] * 1e6) }, sample: 1e6)
    }
    let slow = ProfileDifference(from: profile(1, [:]), to: profile(1.5, ["f7": 3]))
    #expect(slow.speed == 1.5)
    #expect(slow.rows.first?.frame.name == "f7" && slow.rows.first?.change == 200e6)
    #expect(slow.rows.dropFirst().allSatisfy { !$0.isClear })
    // Measured apart from the profiles, the whole's ratio says the speed.
    let known = ProfileDifference(
      from: profile(1, [:]), to: profile(2, ["f7": 5]), speed: .ratio(1.1))
    #expect(abs(known.now / known.before - 1.1) < 1e-12)
    // With one large function, nothing is left from which to estimate the speed.
    let one = ProfileDifference(
      from: Self.profile([("a", 9e9), ("b", 1e8)], sample: 1e6),
      to: Self.profile([("a", 12e9), ("b", 1e8)], sample: 1e6))
    #expect(one.speed == 1 && one.rows.first?.change == 3e9)
  }

  /// How many of so many samples fall into each function, by its share of the whole.
  private static func hits(
    _ shares: [Double], _ count: Int, _ generator: inout SplitMix64
  ) -> [Double] {
    var (ends, whole) = ([Double](), 0.0)
    for share in shares {
      whole += share
      ends.append(whole)
    }
    var hits = [Double](repeating: 0, count: shares.count)
    for _ in 0..<count {
      let at = Double.random(in: 0..<whole, using: &generator)
      var (low, high) = (0, ends.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if ends[middle] <= at { low = middle + 1 } else { high = middle }
      }
      hits[low] += 1
    }
    return hits
  }

  @Test("puts a function first that takes a twentieth more, in at least 19 of 20 profiles")
  func planted() {
    var (generator, found) = (SplitMix64(seed: 20_261_123), 0)
    let shares = (0..<60).map { 1 / Double($0 + 2) }
    for _ in 0..<200 {
      func sampled(_ planted: Double, _ count: Int) -> Profile {
        let hits = Self.hits(shares + [planted * shares.reduce(0, +)], count, &generator)
        return Self.profile(
          hits.indices.filter { hits[$0] > 0 }.map { ("f\($0)", hits[$0] * 1e6) }, runs: 100,
          sample: 1e6)
      }
      let difference = ProfileDifference(
        from: sampled(0, 6_000), to: sampled(0.05, 6_300), speed: .ratio(1.05))
      if difference.rows.first?.frame.name == "f60" { found += 1 }
    }
    #expect(found >= 190, "seed 20261123: \(found) of 200")
  }

  /// A profile of several blocks: each function's samples in each of them, a run a block.
  private static func blocks(_ stacks: [(String, [Double])]) -> Profile {
    var profile = profile(stacks.map { ($0.0, 0) }, sample: 1e6)
    for (index, stack) in stacks.enumerated() {
      profile.stacks[index].values = stack.1.map { [$0 * 1e6] }
    }
    let count = stacks[0].1.count
    (profile.facts.blocks, profile.facts.runs) = (count, count)
    profile.facts.runsOfBlocks = Array(repeating: 1, count: count)
    return profile
  }

  @Test("treats differences between processes as chance, however many samples there are")
  func betweenBlocks() throws {
    let rest = (0..<30).map { ("f\($0)", [100.0, 100, 100, 100]) }
    // One block had a long wait, which its number of samples alone would make a change.
    let old = Self.blocks([("w", [1, 2, 1, 2]), ("g", [50, 52, 49, 51])] + rest)
    let new = Self.blocks([("w", [2, 90, 1, 2]), ("g", [150, 148, 153, 151])] + rest)
    let difference = ProfileDifference(from: old, to: new, speed: .given)
    #expect(difference.rows.prefix(2).map(\.frame.name) == ["g", "w"])
    #expect(difference.rows.prefix(2).map(\.isClear) == [true, false])
    let wide = try #require(difference.rows[1].interval)
    #expect(wide.low < 0 && wide.high > difference.rows[1].change)
    // With the same samples in one block nothing is known of that.
    let one = ProfileDifference(
      from: Self.blocks([("w", [6]), ("g", [202])] + rest.map { ($0.0, [400]) }),
      to: Self.blocks([("w", [95]), ("g", [602])] + rest.map { ($0.0, [400]) }), speed: .given)
    #expect(one.rows.prefix(2).map(\.isClear) == [true, true])
  }

  @Test("names no function without a change, in 19 of 20 comparisons of many functions")
  func nothing() {
    var (generator, alarms) = (SplitMix64(seed: 20_261_124), 0)
    let shares = (0..<100).map { 1 / Double($0 + 2) }
    func sampled() -> Profile {
      let hits = (0..<4).map { _ in Self.hits(shares, 1_000, &generator) }
      return Self.blocks(
        shares.indices.map { place in ("f\(place)", hits.map { $0[place] }) })
    }
    for _ in 0..<100
    where ProfileDifference(from: sampled(), to: sampled()).rows.contains(where: \.isClear) {
      alarms += 1
    }
    #expect(alarms <= 10, "seed 20261124: \(alarms) of 100")
  }

  @Test("leaves waits unchanged if the machine became slower")
  func waits() throws {
    func profile(_ factor: Double) -> Profile {
      var profile = Self.profile((0..<40).map { ("f\($0)", 100e6 * factor) }, sample: 1e6)
      profile.measures.append(Profile.Measure(id: "waited", unit: .nanoseconds, sample: 1e6))
      for index in profile.stacks.indices {
        profile.stacks[index].values[0].append(profile.frames[index].name == "f7" ? 5_000e6 : 0)
      }
      return profile
    }
    let difference = ProfileDifference(
      from: profile(1), to: profile(1.5), measures: [0, 1], speed: .ratio(1))
    #expect(difference.speed == 1.5 && difference.before == difference.now)
    #expect(difference.rows.allSatisfy { abs($0.change) < 1 })
  }

  @Test("explains a row by the functions that grew, and their share of the growth")
  func explanation() {
    let old = Self.profile([("a", 1_000), ("b", 10)])
    let new = Self.profile([("a", 1_000), ("a b", 110), ("c", 50), ("d", 6), ("e", 4)])
    let explanation = Explanation(ProfileDifference(from: old, to: new))
    #expect(explanation.causes.map(\.function) == ["b", "c", "d"])
    #expect(explanation.causes.map(\.amount) == [100, 50, 6])
    #expect(explanation.explained == 156.0 / 160)
    #expect(explanation.words == "because of b +100 B, c +50 B, d +6 B: 98 % of the increase")
    #expect(
      Explanation(new).words
        == "largest costs now, since the other program is not available: a 1.00 kB, b 110 B, "
        + "c 50 B: 99 % of the cost")
    let same = Explanation(ProfileDifference(from: old, to: old))
    #expect(same.words == "not explained: its profile shows no increase")
    #expect(Explanation(ProfileDifference(from: new, to: old)).causes.isEmpty)
  }

  @Test("explains the growth by what grew, not by the rest after other functions shrank")
  func shrinkage() {
    let old = Self.profile([("a", 1_000), ("b", 500)])
    let new = Self.profile([("a", 600), ("b", 1_000), ("c", 60), ("d", 60), ("e", 380)])
    let explanation = Explanation(
      ProfileDifference(from: old, to: new), basis: "by all allocations")
    #expect(explanation.causes.map(\.amount) == [500, 380, 60])
    #expect(explanation.explained == 0.94)
    #expect(
      explanation.words
        == "because of b +500 B, e +380 B, c +60 B: 94 % of the increase, but a −400 B "
        + "(by all allocations)")
  }
}
