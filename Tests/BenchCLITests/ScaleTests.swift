import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("bench scale measures how costs grow")
struct ScaleTests {
  @Test("It measures a grid and reports growth, and the stored run agrees in every format")
  func measures() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "scale --allow-debug --backend json,sqlite --from 100 --to 1000 --points 3 --blocks 1"
          + " --out out", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.output.contains(", from 96 to 988 slot options\n"))
      #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
      let record = try RunFile.read(folder + "/out/run.json")
      let options = record.menus.map { $0.counts.first { $0.of == "slot options" }?.count }
      #expect(options == [96, 320, 988])
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
      #expect(
        files == ["report.csv", "report.html", "report.md", "run.json", "scale.html", "scale.md"])
      for (format, start) in [("markdown", "# "), ("csv", "row,backend,other,menu,size_low,")] {
        let stored = try await Executable.bench("scale --run out --format \(format)", in: folder)
        #expect(stored.status == .exited(0))
        #expect(stored.output.hasPrefix(start))
      }
      let again = try await Executable.bench("scale --run out", in: folder)
      #expect(again.output == outcome.output)
      let json = try await Executable.bench("scale --run out --format json", in: folder)
      #expect(json.status == .exited(64))
      #expect(json.errors.contains("table, markdown, html, csv\n"), "\(json.errors)")
      let refused = try await Executable.bench("scale --run out --from 5", in: folder)
      #expect(refused.status == .exited(64))
      #expect(refused.errors.hasPrefix("error: --from is for measuring"))
    }
  }

  @Test("A cell that cannot be measured is left out with its reason, and the status is 3")
  func failed() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.faulty(
        "scale --allow-debug --backend lies,json --from 30 --to 300 --points 3 --blocks 1"
          + " --format markdown --out out", in: folder)
      #expect(outcome.status == .exited(3))
      #expect(outcome.output.contains("\n- lies: save, load"))
      #expect(outcome.output.contains("failed: the document read back differs"))
      let stored = try await Executable.bench("scale --run out --format markdown", in: folder)
      #expect(stored.status == .exited(3))
      #expect(stored.output == outcome.output)
    }
  }

  @Test(
    "Bad input is refused before anything is measured",
    arguments: [
      ("scale --from 0", ""), ("scale --points 2", ""), ("scale --from 10 --to 10", ""),
      ("scale --to 1000001", ""), ("scale --format jsn", "unknown "),
      ("compare --for lunch", "unknown "), ("compare --weight fist-menu=1", "unknown "),
      ("compare --format jsn", "unknown "), ("compare --require fast --for launch", "unknown "),
    ])
  func refused(arguments: String, words: String) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(arguments + " --allow-debug", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.hasPrefix("error: \(words)"))
      #expect(outcome.errors.contains("\nhelp: "))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
}
