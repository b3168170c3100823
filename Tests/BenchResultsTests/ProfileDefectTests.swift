import BenchResults
import Testing

@Suite("A profile from a file")
struct ProfileDefectTests {
  /// A sound one of two blocks, in which the phase ran once and twice.
  private static var sound: Profile {
    var facts = Profile.Facts()
    (facts.blocks, facts.runs) = (2, 3)
    facts.runsOfBlocks = [1, 2]
    return Profile(
      what: .cpu,
      cell: Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic"),
      phase: "decode",
      measures: [Profile.Measure(id: "cpu", unit: .nanoseconds, sample: 1_000_000)],
      frames: [Profile.Frame(name: "a", module: "b", owner: .program)],
      stacks: [Profile.Stack(frames: [0], values: [[2e6], [1e6]])], facts: facts)
  }

  @Test("is sound if all its values are possible")
  func soundOne() { #expect(Self.sound.defect == nil) }

  @Test("is refused if its samples have an impossible weight")
  func samples() {
    for sample in [0, -1, 1e-300, 1e300] {
      var profile = Self.sound
      profile.measures[0].sample = sample
      #expect(profile.defect == "a sample has the impossible weight \(sample)")
    }
  }

  @Test("is refused if its stacks add up to more than can be counted, or to endless samples")
  func stacks() {
    var profile = Self.sound
    profile.measures[0].sample = nil
    profile.stacks[0].values = Array(repeating: [1e15], count: 2)
    #expect(profile.defect == "its stacks add up to an impossible \(2e15) of cpu")
    profile.stacks[0].values = [[1e15]]
    #expect(profile.defect == nil)
    profile.measures[0].sample = 1
    #expect(profile.defect == "its stacks add up to an impossible \(1e15) of cpu")
  }

  @Test("is refused if a stack is so deep that its graph would take forever")
  func depth() {
    var profile = Self.sound
    profile.stacks[0].frames = Array(repeating: 0, count: 1_024)
    #expect(profile.defect == nil)
    profile.stacks[0].frames.append(0)
    #expect(profile.defect == "a stack is 1025 functions deep, more than the limit of 1024")
  }

  @Test("is refused if the runs of its blocks cannot be added up")
  func runs() {
    for runs in [[Int.max, Int.max], [-1, 4], [1_000_000_000_000, 1]] {
      var profile = Self.sound
      profile.facts.runsOfBlocks = runs
      #expect(
        profile.defect == "it has impossible counts: \([2, 3, 0, 0, 0, 0] + runs)", "\(runs)")
    }
  }
}
