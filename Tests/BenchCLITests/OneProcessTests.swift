import BenchResults
import Foundation
import MenuBenchKit
import Subprocess
import Testing

@Suite("The commands read runs that were measured in one process")
struct OneProcessTests {
  private func measure(_ file: String, in folder: String) async throws {
    let run = try await MenuBench.run(
      [.json, .plist], menu: .small, options: .init(blocks: 2, allowsDebugBuild: true))
    try RunFile.write(run, to: folder + "/" + file)
  }

  @Test("The article's commands show them, and the report says what one process cannot measure")
  func read() async throws {
    try await inFolder { folder in
      try await measure("before.json", in: folder)
      try await measure("phone.json", in: folder)
      let report = try await Executable.bench("report phone.json --format markdown", in: folder)
      #expect(report.status == .exited(0), "\(report.errors)")
      #expect(report.output.contains("measured in one process: its blocks share a heap and caches"))
      #expect(report.output.contains("blocks, all in one process: 2 in 2 cells"))
      #expect(report.output.contains("MenuBenchKit "))
      let csv = try await Executable.bench("report phone.json --format csv", in: folder)
      #expect(csv.output.contains("json,small,roundtrip,atomic,decode,cpu,ns,,,,,,,,,,,,,,,,\n"))
      let shown = Page("Sources/MenuBenchKit/Documentation.docc/MeasureOnAPhone.md").commands
      #expect(
        shown.map { $0.words.prefix(2).joined(separator: " ") } == [
          "bench report", "bench compare", "bench diff",
        ])
      for command in shown {
        let outcome = try await Executable.shell(
          Executable.bench.path + command.line.dropFirst("bench".count), in: folder)
        #expect(outcome.status == .exited(0), "\(command.line): \(outcome.errors)")
      }
    }
  }

  @Test("They do not compare with runs of fresh processes, unless you ask for it")
  func mixed() async throws {
    try await inFolder { folder in
      try await measure("one.json", in: folder)
      let fresh = try await Executable.bench(
        "run --allow-debug --backend json,plist --menu small --blocks 1 --out fresh", in: folder)
      #expect(fresh.status == .exited(0), "\(fresh.errors)")
      let text = try String(contentsOfFile: folder + "/fresh/run.json", encoding: .utf8)
      #expect(!text.contains("oneProcess"))
      let diff = try await Executable.bench("diff fresh one.json", in: folder)
      #expect(diff.status == .exited(5))
      #expect(
        diff.errors == """
          error: fresh was measured in a fresh process per block, but this run in one process. \
          Differences may come from that alone
          help: --mix-processes compares them anyway

          """)
      let report = try await Executable.bench("report fresh --baseline one.json", in: folder)
      #expect(report.status == .exited(5))
      for command in ["run --allow-debug --menu small --blocks 1 --out out", Gate.exact] {
        let outcome = try await Executable.bench("\(command) --baseline one.json", in: folder)
        #expect(outcome.status == .exited(5), "\(command)")
        #expect(
          outcome.errors.contains(
            "error: one.json was measured in one process, but this run in a fresh process per "),
          "\(outcome.errors)")
      }
      for (path, status) in [("fresh", Int32(0)), ("one.json", 5)] {
        let saved = try await Executable.bench("baseline save main --from \(path)", in: folder)
        #expect(saved.status == .exited(status), "\(saved.errors)")
      }
      let asked = try await Executable.bench(
        "diff one.json fresh --mix-processes --format markdown", in: folder)
      #expect(
        asked.output.contains(
          "compared as you asked, though the measurement itself differs: processes: a fresh one per"
            + " block, baseline one for all"))
      #expect(asked.output.contains("Counts: 6 of 6 the same"))
    }
  }
}
