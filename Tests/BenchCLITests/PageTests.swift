import Foundation
import Subprocess
import Testing

@Suite("Pages and charts come from any stored run")
struct PageTests {
  private static let measure =
    "run --allow-debug --backend json,sqlite --menu \(Gate.menu) --blocks 1 --metrics wall --out out"

  @Test("The next run in a folder removes the last one, but refuses to replace its own baseline")
  func nextRun() async throws {
    try await inFolder { folder in
      func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
      }
      _ = try await Executable.bench(Self.measure, in: folder)
      try Data("<!doctype html>".utf8).write(to: URL(filePath: folder + "/out/compare.html"))
      try FileManager.default.copyItem(
        atPath: folder + "/out/run.json", toPath: folder + "/out/baseline.json")
      let named = try await Executable.bench(
        Self.measure + " --baseline out/baseline.json", in: folder)
      #expect(named.status == .exited(64))
      #expect(
        named.errors == """
          error: --out would replace out/baseline.json, which this command reads
          help: choose another place with --out

          """)
      _ = try await Executable.bench(Self.measure, in: folder)
      let own = ["report.csv", "report.html", "report.md", "run.json"]
      #expect(try names() == own)
      // Files without a run in the folder belong to the user.
      for name in own { try FileManager.default.removeItem(atPath: "\(folder)/out/\(name)") }
      try Data("{}".utf8).write(to: URL(filePath: folder + "/out/baseline.json"))
      _ = try await Executable.bench(Self.measure, in: folder)
      #expect(try names() == ["baseline.json"] + own)
    }
  }

  @Test("One chart is printed by its name, and pages show comparisons and profiles")
  func stored() async throws {
    try await inFolder { folder in
      let bench = Executable.bench
      _ = try await bench(Self.measure, in: folder)
      let chart = try await bench("report out --format svg --chart phases", in: folder)
      #expect(chart.status == .exited(0))
      #expect(chart.output.hasPrefix("<svg class=\"chart\""))
      let other = try await bench("report out --format svg --chart pie", in: folder)
      #expect(other.status == .exited(64))
      #expect(other.output.isEmpty)
      #expect(
        other.errors.hasPrefix("error: the run has no chart 'pie'\nhelp: charts: phases"))
      let beside = try await bench("compare --run out --format html", in: folder)
      #expect(beside.status == .exited(0), "\(beside.errors)")
      #expect(beside.output.hasPrefix("<!doctype html>") && beside.output.hasSuffix("</html>\n"))
      let profiled = try await bench(
        "profile --allow-debug --backend json --menu \(Gate.menu) --phase decode --seconds 0.5 --out p",
        in: folder)
      #expect(profiled.status == .exited(0), "\(profiled.errors)")
      let page = try await bench("report out --format html --profile p", in: folder)
      #expect(page.status == .exited(0), "\(page.errors)")
      #expect(page.output.contains("<iframe title=\"Flame graph: json · "))
      let none = try await bench("report out --format html --profile out", in: folder)
      #expect(none.status == .exited(1))
      #expect(none.errors.hasPrefix("error: out holds no profiles\n"))
    }
  }
}
