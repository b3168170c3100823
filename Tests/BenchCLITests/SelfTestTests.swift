import Foundation
import Subprocess
import Testing

@Suite("bench selftest proves the gate")
struct SelfTestTests {
  private static let tiny =
    "selftest --allow-debug --backend json --menu \(Gate.menu) --suites 20 --pairs 3 --gates 1"
    + " --counted 2 --storage stores --out page.md"

  @Test("It writes a page of all its parts; the exact tier errs in nothing")
  func page() async throws {
    try await inFolder { folder in
      // Without valgrind, under which a debug build takes a minute; other tests count instructions.
      let outcome = try await Executable.shell(
        "PATH=/nowhere \(Executable.bench.path) \(Self.tiny)", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let page = try String(contentsOfFile: folder + "/page.md", encoding: .utf8)
      #expect(outcome.output == page)
      #expect(
        page.split(separator: "\n").filter { $0.hasPrefix("#") } == [
          "# What the gate's verdicts are worth",
          "## Nothing changed: how often it cries wolf",
          "## One phase slower: how often it is found",
          "## A little more work: how often the exact tier finds it",
          "## Whole gates of the program against itself", "## How well a change is known",
        ])
      #expect(page.contains("Made by `bench \(Self.tiny)` on "))
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
      ("--counted 0", "error: --counted 0 makes no sense\n"),
      ("--backend jsno", "error: unknown backend 'jsno'\nhelp: did you mean 'json'?"),
      ("--target plist/decode --backend json", "error: --target plist/decode is no backend"),
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
