import Foundation
import Subprocess
import Testing

@Suite("bench selftest proves the gate")
struct SelfTestTests {
  private static let tiny =
    "selftest --allow-debug --backend json --menu \(Gate.menu) --storage stores --out page.md"
  private static let gates = tiny + " --layouts 0 --gates"
  private static let replays = tiny + " --replays --suites 20 --pairs 3 --counted 2"

  /// Runs it without valgrind, under which a debug build takes a minute; other tests count instructions.
  private static func selfTest(
    _ arguments: String, in folder: String, after command: String = "true"
  ) async throws -> Executable.Outcome {
    try await Executable.shell(
      "\(command); PATH=/nowhere \(Executable.bench.path) \(arguments)", in: folder)
  }

  private static func headings(_ page: String) -> [Substring] {
    page.split(separator: "\n").filter { $0.hasPrefix("#") }
  }

  @Test(
    "Every whole gate is kept, the next are added, and a terminal gets the tally of all",
    .enabled(if: takesLong, "takes two minutes: MENUBENCH_LONG=1"))
  func wholeGates() async throws {
    try await inFolder { folder in
      let first = try await Self.selfTest(Self.gates + " 3", in: folder)
      #expect(first.status == .exited(0), "\(first.errors)")
      // What each gate will be able to see, and what it saw.
      #expect(first.errors.contains("on this machine, now, half of the times show changes of "))
      #expect(first.errors.contains("foreseen were changes of "))
      #expect(try String(contentsOfFile: folder + "/page.md", encoding: .utf8) == first.output)
      let (status, screen) = try await Executable.bench.shown(
        Self.gates + " 1", in: folder, columns: 80,
        environment: .inherit.updating(["PATH": "/nowhere"]))
      #expect(status == .exited(0), "\(screen)")
      let shown = screen.split(separator: "\n").suffix(5)
      #expect(shown.allSatisfy { $0.count <= 80 }, "\(screen)")
      let starts = [
        "nothing changed, nobody: ", "nothing changed, a busy neighbour: ",
        "5.0 % slower, nobody: ", "5.0 % slower, a busy neighbour: ", "written to page.md",
      ]
      #expect(zip(shown, starts).allSatisfy { $0.hasPrefix($1) }, "\(screen)")
      let lines = try String(contentsOfFile: folder + "/page.jsonl", encoding: .utf8)
        .split(separator: "\n")
      // One of each kind before any comes again.
      #expect(
        lines.map { [$0.contains("\"condition\":\"busy\""), $0.contains("\"planted\"")] } == [
          [false, false], [true, false], [false, true], [true, true],
        ])
      let page = try String(contentsOfFile: folder + "/page.md", encoding: .utf8)
      #expect(
        Self.headings(page) == [
          "# What the gate's verdicts are worth",
          "## Nothing changed: false positives",
          "## One phase slower: how often it is found", "## Every gate",
        ])
      let made = "Made by `bench \(Self.gates) 1`; each\n"
      #expect(page.contains(made))
      #expect(page.contains("- Gates: 4, from "))
      #expect(page.contains("| json/decode, atomic, by 5.0 % | nobody | "))
      #expect(page.contains("| all by 5.0 % | a busy neighbour | "))
      let again = try await Self.selfTest(Self.gates + " 0", in: folder)
      #expect(again.status == .exited(0), "\(again.errors)")
      #expect(again.output == page.replacing(made, with: "Made by `bench \(Self.gates) 0`; each\n"))
      let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/stores")
      #expect(left == [])
    }
  }

  @Test("Nothing is added to a file that cannot be read")
  func brokenFile() async throws {
    try await inFolder { folder in
      for line in ["{}", String(repeating: "[", count: 513)] {
        try Data("\(line)\n".utf8).write(to: URL(fileURLWithPath: folder + "/page.jsonl"))
        let outcome = try await Self.selfTest(Self.gates + " 1", in: folder)
        #expect(outcome.status == .exited(3))
        #expect(outcome.errors.hasPrefix("error: page.jsonl, line 1 is no gate of a self-test\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["page.jsonl"])
      }
    }
  }

  @Test("A pipe in the file's place is refused, not waited for")
  func pipe() async throws {
    try await inFolder { folder in
      let outcome = try await Self.selfTest(
        Self.gates + " 1", in: folder, after: "mkfifo page.jsonl")
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors == "error: page.jsonl cannot be read: it is not a regular file\n")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["page.jsonl"])
    }
  }

  @Test("Replays are a page of their own; the exact tier errs in nothing")
  func replayPage() async throws {
    try await inFolder { folder in
      let outcome = try await Self.selfTest(Self.replays, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let page = try String(contentsOfFile: folder + "/page.md", encoding: .utf8)
      #expect(outcome.output == page)
      #expect(
        Self.headings(page) == [
          "# Replays of the gate",
          "## Nothing changed: false positives",
          "## One phase slower: how often it is found",
          "## A little more work: how often the exact tier finds it",
          "## How well a change is known",
          "## When to look",
        ])
      #expect(page.contains("| 12, 20, 32 | ") && page.contains("\n| 32 | "))
      #expect(page.contains("Made by `bench \(Self.replays)` on "))
      // Four blocks, both sides' two, make six pairs; the two with a cost meet each of the four.
      #expect(
        page.contains("| whole suites, exact tier: every two recorded blocks | 0 | 6 | 0.00 %"))
      #expect(page.contains("| one allocation, named with the figure 1 | 8 | 8 | 100.00 %"))
      for slowdown in ["2.0 %", "5.0 %", "10 %"] {
        #expect(page.contains("| \(slowdown) slower | "))
      }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder + "/stores")
      #expect(left == [])
    }
  }

  @Test(
    "What makes no sense is refused before anything is measured",
    arguments: [
      ("--suites 0", "error: --suites 0 makes no sense\n"),
      ("--pairs 0", "error: --pairs 0 makes no sense\n"),
      ("--gates -1", "error: --gates -1 makes no sense\n"),
      (
        "--gates 0",
        "error: no gates are kept beside Reports/gate-selftest.md\nhelp: hold some: --gates 1 or more\n"
      ),
      ("--hours 0", "error: --hours 0.0 makes no sense\n"),
      ("--slowdown 0", "error: --slowdown 0.0 makes no sense\n"),
      ("--layouts 1", "error: --layouts 1 makes no sense\n"),
      ("--counted 0", "error: --counted 0 makes no sense\n"),
      ("--backend jsno", "error: unknown backend 'jsno'\nhelp: did you mean 'json'?"),
      ("--target plist/decode --backend json", "error: --target plist/decode is no backend"),
      ("--target json/decode@durabel", "error: unknown durability 'durabel'\n"),
      (
        "--target json/decod",
        "error: unknown phase 'decod'\nhelp: did you mean 'decode'? phases: open, encode, write, "
      ),
    ])
  func refused(_ arguments: String, _ words: String) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("selftest --allow-debug \(arguments)", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.hasPrefix(words), "\(outcome.errors)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }
}
