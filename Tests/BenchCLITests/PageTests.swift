import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("Pages and charts come from any stored run")
struct PageTests {
  private static let measure =
    "run --allow-debug --backend json,sqlite --menu \(Gate.menu) --blocks 1 --metrics wall --out out"

  /// Programs of a test's own that go before those of the machine.
  private static func program(_ name: String, _ script: String, in folder: String) throws {
    let path = folder + "/bin"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Gate.write(script: script, to: "\(path)/\(name)")
  }

  #if os(Linux)
    @Test("--open gives the page that the run left to the browser; a failure says where it lies")
    func open() async throws {
      try await inFolder { folder in
        _ = try await Executable.bench(Self.measure, in: folder)
        try Self.program("xdg-open", "echo \"$1\" >opened", in: folder)
        let bench = Executable.bench.path
        let outcome = try await Executable.shell(
          "PATH=bin:$PATH \(bench) report out --open", in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        #expect(outcome.errors == "page: out/report.html\n")
        #expect(
          try String(contentsOfFile: folder + "/opened", encoding: .utf8) == "out/report.html\n")
        // What is exported is written as well.
        let exported = try await Executable.shell(
          "PATH=bin:$PATH \(bench) report out --open --export csv=side.csv", in: folder)
        #expect(exported.errors == "page: out/report.html\n" && exported.output.isEmpty)
        #expect(
          try String(contentsOfFile: folder + "/side.csv", encoding: .utf8)
            == String(contentsOfFile: folder + "/out/report.csv", encoding: .utf8))
        // What was asked for besides is a page of its own: the run's is as it left it.
        let left = try String(contentsOfFile: folder + "/out/report.html", encoding: .utf8)
        let other = try await Executable.shell(
          "PATH=bin:$PATH \(bench) report out --baseline out/run.json --open", in: folder)
        #expect(other.errors.contains("page: out/report.opened.html\n"), "\(other.errors)")
        let opened = try String(contentsOfFile: folder + "/out/report.opened.html", encoding: .utf8)
        #expect(opened.hasPrefix("<!doctype html>") && opened != left)
        #expect(try String(contentsOfFile: folder + "/out/report.html", encoding: .utf8) == left)
        // Of a run that has lost its page one is made as well.
        try FileManager.default.removeItem(atPath: folder + "/out/report.html")
        let linked = try await Executable.shell(
          "echo theirs >victim; ln -sf ../victim out/report.opened.html;"
            + " PATH=bin:$PATH \(bench) report out --open", in: folder)
        #expect(linked.status == .exited(1))
        #expect(
          linked.errors == """
            error: out/report.opened.html is a link to ../victim, which would be overwritten
            help: remove the link

            """)
        #expect(try String(contentsOfFile: folder + "/victim", encoding: .utf8) == "theirs\n")
        try FileManager.default.removeItem(atPath: folder + "/out/report.opened.html")
        let made = try await Executable.shell(
          "PATH=bin:$PATH \(bench) report out --open", in: folder)
        #expect(made.errors == "page: out/report.opened.html\n")
        // Of a comparison it is the comparison's.
        try Data("<!doctype html>".utf8).write(to: URL(filePath: folder + "/out/compare.html"))
        let comparison = try await Executable.shell(
          "PATH=bin:$PATH \(bench) report out --open", in: folder)
        #expect(comparison.errors == "page: out/compare.html\n")
        // The folder's next run leaves nothing that would be taken for its own, and takes nothing from who names it.
        try FileManager.default.copyItem(
          atPath: folder + "/out/run.json", toPath: folder + "/out/baseline.json")
        let named = try await Executable.bench(
          Self.measure + " --baseline out/baseline.json", in: folder)
        #expect(named.status == .exited(64))
        #expect(
          named.errors == """
            error: out/baseline.json is a file of the run in out, which this one replaces
            help: choose another folder with --out

            """)
        _ = try await Executable.bench(Self.measure, in: folder)
        func names() throws -> [String] {
          try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
        }
        let own = ["report.csv", "report.html", "report.md", "run.json"]
        #expect(try names() == own)
        // Files that lie there without a run are somebody's.
        for name in own { try FileManager.default.removeItem(atPath: "\(folder)/out/\(name)") }
        try Data("{}".utf8).write(to: URL(filePath: folder + "/out/baseline.json"))
        _ = try await Executable.bench(Self.measure, in: folder)
        #expect(try names() == ["baseline.json"] + own)
        let none = try await Executable.shell(
          "PATH=/nowhere \(bench) report out --open", in: folder)
        #expect(none.status == .exited(1))
        #expect(
          none.errors == """
            error: no browser can be started: there is no xdg-open
            help: open out/report.html yourself

            """)
        try Self.program("xdg-open", "exit 4", in: folder)
        let failed = try await Executable.shell(
          "PATH=bin:$PATH \(bench) report out --open", in: folder)
        #expect(failed.status == .exited(1))
        #expect(failed.errors.hasPrefix("error: bin/xdg-open ended with status 4\n"))
        let piped = try await Executable.shell("\(bench) report - --open <out/run.json", in: folder)
        #expect(piped.status == .exited(64))
        #expect(piped.errors.hasPrefix("error: there is no folder of '-' for the page to lie in\n"))
      }
    }
  #endif

  @Test(
    "One chart is printed by its name, and a name that there is not is answered with those there are"
  )
  func chart() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(Self.measure, in: folder)
      let chart = try await Executable.bench(
        "report out --format svg --chart blocks-decode", in: folder)
      #expect(chart.status == .exited(0))
      #expect(chart.output.hasPrefix("<svg class=\"chart\""))
      let other = try await Executable.bench("report out --format svg --chart pie", in: folder)
      #expect(other.status == .exited(64))
      #expect(other.output.isEmpty)
      #expect(
        other.errors.hasPrefix("error: the run has no chart 'pie'\nhelp: charts: phases, "))
    }
  }

  @Test("A page shows what was profiled, and a folder without profiles is refused")
  func profile() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(Self.measure, in: folder)
      let profiled = try await Executable.bench(
        "profile --allow-debug --backend json --menu \(Gate.menu) --phase decode --seconds 0.5 --out p",
        in: folder)
      #expect(profiled.status == .exited(0), "\(profiled.errors)")
      let page = try await Executable.bench("report out --format html --profile p", in: folder)
      #expect(page.status == .exited(0), "\(page.errors)")
      #expect(page.output.contains("<iframe title=\"Flame graph: json · "))
      let none = try await Executable.bench("report out --format html --profile out", in: folder)
      #expect(none.status == .exited(1))
      #expect(none.errors.hasPrefix("error: out holds no profiles\n"))
    }
  }

  @Test("Against a baseline that was profiled, too, a page shows what changed in the rows that did")
  func profiledBaseline() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(Self.measure, in: folder)
      let profiled = try await Executable.bench(
        "profile --allow-debug --backend json --menu \(Gate.menu) --phase decode --seconds 0.5 --out out",
        in: folder)
      #expect(profiled.status == .exited(0), "\(profiled.errors)")
      try FileManager.default.copyItem(atPath: folder + "/out", toPath: folder + "/base")
      for (name, time) in [("out", 2e6), ("base", 1e6)] {
        var record = try RunFile.read("\(folder)/\(name)/run.json")
        for place in record.cells.indices
        where record.cells[place].phase == "decode" && record.cells[place].metric == .wall {
          record.cells[place].blocks = (0..<12).map { [time + Double($0 * 100)] }
        }
        try RunFile.write(record, to: "\(folder)/\(name)/run.json")
      }
      let changed = "decode, cpu: from the baseline to the candidate</summary>"
      for baseline in ["base", "base/run.json --baseline-profile base"] {
        let page = try await Executable.bench(
          "report out --format html --baseline \(baseline)", in: folder)
        #expect(page.status == .exited(2), "\(page.errors)")
        #expect(page.output.contains(changed))
        #expect(
          page.output.contains(
            "1.00 ms → 2.00 ms; not explained: the profiles differ by 1.00×, the row by 2.00×"))
        // What is set against the baseline's is not shown alone, too.
        #expect(page.output.ranges(of: "roundtrip · decode · cpu</summary>").isEmpty)
      }
      let unchanged = try await Executable.bench(
        "report out --format html --baseline out --baseline-profile base", in: folder)
      #expect(!unchanged.output.contains(changed))
      #expect(unchanged.output.ranges(of: "roundtrip · decode · cpu</summary>").count == 1)
      #expect(
        unchanged.errors.contains("note: no profiles are set against each other: no row changed\n"))
      let alone = try await Executable.bench("report out --baseline-profile base", in: folder)
      #expect(alone.status == .exited(64))
      #expect(
        alone.errors == """
          error: --baseline-profile is of no use without a baseline
          help: name one with --baseline

          """)
    }
  }

  @Test("Backends side by side have a page too")
  func sideBySide() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(Self.measure, in: folder)
      let page = try await Executable.bench("compare --run out --format html", in: folder)
      #expect(page.status == .exited(0), "\(page.errors)")
      #expect(page.output.hasPrefix("<!doctype html>"))
      #expect(page.output.hasSuffix("</html>\n"))
    }
  }
}
