import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("bench compare compares backends and recommends one")
struct CompareTests {
  @Test("It measures, recommends, and writes its reports")
  func measures() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "compare --allow-debug --backend json,lmdb,memory --workload roundtrip,combo --menu small"
          + " --weight combo=2,stored_bytes=1 --blocks 1 --out out", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.output.hasPrefix("For these weights with small: "))
      #expect(outcome.output.contains("• memory: keeps nothing after a restart"))
      #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(record.menus.map(\.name) == ["small"])
      #expect(record.backends.first?.promises?.contains("durable") == true)
      #expect(record.backends.first { $0.id == "memory" }?.survivesRestart == false)
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
      #expect(
        files == [
          "compare.html", "compare.md", "report.csv", "report.html", "report.md", "run.json",
        ])
    }
  }

  @Test("A stored run is compared without measuring, in every format")
  func stored() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(
        "run --allow-debug --backend json,lmdb --workload combo --menu small --blocks 1 --out out",
        in: folder)
      let asked = "compare --run out --weight combo=1 --format"
      for (format, start) in [
        ("table", "For these weights with small: "), ("markdown", "# For these weights with small"),
        ("csv", "backend,menu,workload,durability,cost,metric,unit,value,ci_low,ci_high,"),
        ("json", "{\n  \"answers\" : ["),
      ] {
        let outcome = try await Executable.bench("\(asked) \(format)", in: folder)
        #expect(outcome.status == .exited(0))
        #expect(outcome.output.hasPrefix(start))
      }
      let unasked = try await Executable.bench("compare --run out/run.json", in: folder)
      #expect(unasked.output.hasPrefix("2 backends side by side, none recommended\n"))
      let growth = try await Executable.bench("scale --run out", in: folder)
      #expect(growth.status == .exited(3))
      #expect(growth.errors.hasPrefix("error: out holds menus of only one size\nhelp: "))
      let exported = try await Executable.bench(
        asked + " table --export csv=a.csv --export markdown=b.md", in: folder)
      #expect(exported.output.hasPrefix("For these weights with small: "))
      for (file, format) in [("a.csv", "csv"), ("b.md", "markdown")] {
        let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
        #expect(try await Executable.bench("\(asked) \(format)", in: folder).output == text)
      }
      let wrong = try await Executable.bench(asked + " table --export junit=a.xml", in: folder)
      #expect(wrong.status == .exited(64))
      #expect(wrong.errors.hasPrefix("error: unknown format 'junit'\n"))
      let other = try await Executable.bench("compare --run out --weight roundtrip=1", in: folder)
      #expect(other.status == .exited(3))
      #expect(
        other.errors.hasPrefix(
          "error: no weight counts: roundtrip was not measured\nhelp: without --run and"))
      let refused = try await Executable.bench("compare --run out --backend json", in: folder)
      #expect(refused.status == .exited(64))
      #expect(refused.errors.hasPrefix("error: --backend is for measuring"))
      for option in [
        "--out there", "--no-files", "--precision 0.1", "--storage .",
        "--memory-limit 99", "--timeout 9", "--seed 1",
      ] {
        let lost = try await Executable.bench("compare --run out \(option)", in: folder)
        #expect(lost.status == .exited(64))
        let name = option.prefix { $0 != " " }
        #expect(lost.errors.hasPrefix("error: \(name) is for measuring"), "\(lost.errors)")
      }
    }
  }

  @Test("A cell that cannot be measured is shown as failed, and the status is 3")
  func failed() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.faulty(
        "compare --allow-debug --backend lies,json --workload roundtrip --menu small --blocks 1"
          + " --weight roundtrip/load=1 --rank-volatile --out out", in: folder)
      #expect(outcome.status == .exited(3))
      #expect(
        outcome.output.hasPrefix(
          "For these weights with small: json, among the 1 of 2 that have every figure\n"))
      #expect(
        outcome.output.contains("• lies: roundtrip/load failed: the document read back differs"))
      for command in ["report out", "compare --run out"] {
        let stored = try await Executable.bench(command, in: folder)
        #expect(stored.status == .exited(3), "\(command)")
        #expect(
          stored.errors.contains("error: lies/small/roundtrip/atomic could not be measured"),
          "\(stored.errors)")
      }
    }
  }
}
