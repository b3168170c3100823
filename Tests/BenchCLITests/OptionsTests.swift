import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("Options of a run's output")
struct OptionsTests {
  private let run = "run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics wall"

  @Test("A run without files writes only its exports, and a verbose run names every block")
  func noFiles() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        run + " --no-files --export csv=a.csv --verbose", in: folder)
      #expect(outcome.status == .exited(0))
      let name = "json/\(Gate.menu)/roundtrip/atomic"
      #expect(outcome.errors.contains("\nblock: \(name), timing, 1 timed so far, "))
      #expect(outcome.errors.contains("worker of each block: /proc/"))
      #expect(outcome.output.contains("json"))
      #expect(outcome.errors.contains("no files were kept, as asked"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.csv"])
      let both = try await Executable.bench(run + " --no-files --out here", in: folder)
      #expect(both.status == .exited(64))
      #expect(both.errors.hasPrefix("error: --no-files and --out cannot be combined\n"))
      let verbosity = try await Executable.bench(run + " --quiet --verbose", in: folder)
      #expect(verbosity.status == .exited(64))
    }
  }

  @Test("A run is read from a pipe, as menus are")
  func pipe() async throws {
    try await inFolder { folder in
      let bench = Executable.bench.path
      let outcome = try await Executable.shell(
        """
        set -e; \(bench) \(run) --out out >a.txt 2>/dev/null
        \(bench) report - <out/run.json >b.txt; \(bench) diff out - <out/run.json >/dev/null
        cmp a.txt b.txt
        """, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      for (command, reason) in [
        ("gzip -c out/run.json", "standard input is compressed by gzip\nhelp: decompress it: "),
        ("head -c 99 out/run.json", "it ends too soon and was cut short"), ("true", "it is empty"),
      ] {
        let refused = try await Executable.shell("\(command) | \(bench) report -", in: folder)
        #expect(refused.status == .exited(1))
        #expect(refused.errors.contains(reason), "\(refused.errors)")
      }
    }
  }
}
