import BenchResults
import Testing

@testable import BenchProfiles

@Suite("Callgrind's file")
struct CallgrindFileTests {
  private func read(_ text: String) throws -> Profile {
    let cell = Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic")
    return try #require(CallgrindFile([text], executable: "bench")).profile(
      [], cell: cell, phase: "encode")
  }

  /// main calls a and b, which both call c.
  private static let text = """
    version: 1
    positions: line
    events: Ir

    ob=(1) /x/bench
    fn=(1) main
    0 10
    cfn=(2) a
    calls=1 0
    0 300
    cfn=(3) b
    calls=2 0
    0 100

    fn=(2)
    0 100
    cob=(2) /lib/libc.so.6
    cfn=(4) c
    calls=1 0
    0 200

    fn=(3)
    0 50
    cob=(2)
    cfn=(4)
    calls=1 0
    0 50

    ob=(2)
    fn=(4)
    0 250

    totals: 410
    """

  @Test("has each function's own instructions, and splits those of a function with several callers")
  func shares() throws {
    let profile = try read(Self.text)
    let lines = profile.stacks.map { stack in
      stack.frames.map { profile.frames[$0].name }.joined(separator: ";")
        + " \(stack.total[0])"
    }
    #expect(
      Set(lines) == ["main 10.0", "main;a 100.0", "main;a;c 200.0", "main;b 50.0", "main;b;c 50.0"])
    #expect(profile.frames.map(\.owner) == [.program, .program, .program, .system])
  }

  /// main calls a, a and b call each other twice over, and b calls c: what each call cost has the calls
  /// within it again.
  private static let circle = """
    events: Ir

    ob=(1) /x/bench
    fn=(1) main
    0 10
    cfn=(2) a
    calls=1 0
    0 100

    fn=(2) a
    0 2
    cfn=(3) b
    calls=2 0
    0 197

    fn=(3) b
    0 2
    cfn=(2) a
    calls=1 0
    0 98
    cfn=(4) c
    calls=1 0
    0 96

    fn=(4) c
    0 96
    """

  @Test("has each function's own instructions if functions call each other in a circle")
  func recursion() throws {
    let profile = try read(Self.circle)
    var own: [String: Double] = [:]
    for stack in profile.stacks {
      let last = try #require(stack.frames.last)
      own[profile.frames[last].name, default: 0] += stack.total[0]
    }
    #expect(own.mapValues { ($0 * 1e6).rounded() / 1e6 } == ["main": 10, "a": 2, "b": 2, "c": 96])
  }

  @Test("is refused with other events, or with a cost that is not a number")
  func none() {
    func file(_ text: String) -> CallgrindFile? { CallgrindFile([text], executable: "bench") }
    for cost in ["x", "nan", "inf", "1e99"] {
      #expect(file("events: Ir\nfn=(1) a\n0 \(cost)\n") == nil, "\(cost)")
    }
    #expect(file("events: Ir\nfn=(1) a\n0 1\n") != nil)
    #expect(file("events: Dr\nfn=(1) a\n0 1\n") == nil)
    #expect(file("") == nil)
  }
}
