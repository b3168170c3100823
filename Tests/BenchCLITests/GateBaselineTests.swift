import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("bench gate compares with a stored run")
struct GateBaselineTests {
  /// Runs a test in a folder where a gate kept its run as `main`.
  private func withBaseline(_ body: (String) async throws -> Void) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(Gate.itself + " --save-baseline main", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      try await body(folder)
    }
  }

  private func edit(_ folder: String, as name: String, _ change: (inout RunRecord) -> Void) throws {
    var record = try RunFile.read(folder + "/Reports/baselines/main.json")
    change(&record)
    try RunFile.write(record, to: "\(folder)/\(name)")
  }

  @Test("The same program passes, one more allocation fails, and the run's own folder is refused")
  func lifecycle() async throws {
    try await withBaseline { folder in
      let kept = folder + "/out/baseline.json"
      try? FileManager.default.removeItem(atPath: kept)
      try FileManager.default.copyItem(
        atPath: folder + "/Reports/baselines/main.json", toPath: kept)
      let lost = try await Executable.bench(
        Gate.exact + " --baseline out/baseline.json", in: folder)
      #expect(lost.status == .exited(64))
      #expect(
        lost.errors.contains(
          "error: --out would replace out/baseline.json, which this command reads\n"),
        "\(lost.errors)")
      let same = try await Executable.bench(Gate.exact + " --baseline main", in: folder)
      #expect(same.status == .exited(0), "\(same.errors)")
      #expect(try Gate.File(in: folder + "/out").failing.isEmpty)
      let more = try await Executable.bench(
        Gate.exact + " --baseline main --inject json/decode:allocations=1", in: folder)
      #expect(more.status == .exited(2))
      let rows = try Gate.File(in: folder + "/out").failing
      #expect(rows.map(\.metric) == ["allocations", "allocated_bytes"])
      #expect(rows.map(\.difference) == [1, 16])
    }
  }

  @Test("The gate counts exactly the same as a run, for every storage")
  func countsOfRun() async throws {
    try await inFolder { folder in
      let storages = "--backend json,lmdb,sqlite --allow-debug --menu \(Gate.menu)"
      let run = try await Executable.bench("run \(storages) --blocks 1 --out counted", in: folder)
      #expect(run.status == .exited(0), "\(run.errors)")
      let gate = try await Executable.bench(
        "gate \(storages) --baseline counted --out out", in: folder)
      #expect(gate.status == .exited(0), "\(gate.errors)")
    }
  }

  @Test("Times are judged only on request, undecided from few blocks, never of another machine")
  func times() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench(
        "run --allow-debug --menu \(Gate.menu) --metrics wall,allocations --blocks 2 --out two",
        in: folder)
      let without = try await Executable.bench(
        Gate.any + " --baseline two --metrics wall,allocations --strict", in: folder)
      #expect(without.status == .exited(0), "\(without.errors)")
      #expect(try !RunFile.read(folder + "/out/run.json").cells.contains { $0.metric == .wall })
      let with = try await Executable.bench(
        Gate.any + " --baseline two --metrics wall,allocations --times --strict", in: folder)
      #expect(with.status == .exited(7))
      let csv = try String(contentsOfFile: folder + "/out/report.csv", encoding: .utf8)
      #expect(Gate.verdicts(csv: csv)["json/save/wall"] == "inconclusive")
      #expect(Gate.verdicts(csv: csv)["json/decode/allocations"] == "unchanged")
      var other = try RunFile.read(folder + "/two/run.json")
      other.machine.cpu = "Z80"
      try RunFile.write(other, to: folder + "/other.json")
      for (option, status) in [("--times", Int32(5)), ("", 0), ("--times --tier exact", 0)] {
        let gate = try await Executable.bench(
          Gate.any + " --baseline other.json --metrics wall,allocations \(option)", in: folder)
        #expect(gate.status == .exited(status), "\(gate.errors)")
        #expect(status == 0 || gate.errors.contains(", baseline Z80"), "\(gate.errors)")
      }
    }
  }

  @Test("Exact metrics of other hardware compare, its times do not, and another menu does not pass")
  func others() async throws {
    try await withBaseline { folder in
      try edit(folder, as: "menu.json") { record in
        for index in record.menus.indices { record.menus[index].fingerprint = "00000000000000aa" }
      }
      for command in [
        Gate.exact, "run --allow-debug --menu \(Gate.menu) --blocks 1",
      ] {
        let menu = try await Executable.bench(command + " --baseline menu.json", in: folder)
        #expect(menu.status == .exited(5), "\(menu.errors)")
      }
      try edit(folder, as: "other.json") { $0.machine.cpu = "Z80" }
      let same = try await Executable.bench(Gate.exact + " --baseline other.json", in: folder)
      #expect(same.status == .exited(0), "\(same.errors)")
      let words = same.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      #expect(words.contains("only counts are compared, because "))
      #expect(words.contains(", baseline Z80"))
      let more = try await Executable.bench(
        Gate.exact + " --baseline other.json --inject json/decode:allocations=1", in: folder)
      #expect(more.status == .exited(2))
    }
  }

  @Test("A file that is not a whole run of this schema, or has no figure, is refused by name")
  func broken() async throws {
    try await withBaseline { folder in
      let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/out/run.json"))
      try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder + "/cut.json"))
      try Data("{\"schema\":2}".utf8).write(to: URL(fileURLWithPath: folder + "/newer.json"))
      try edit(folder, as: "empty.json") { record in
        for index in record.cells.indices { record.cells[index].blocks = [] }
      }
      try edit(folder, as: "strange.json") { record in
        for index in record.cells.indices { record.cells[index].cell.backend = "plist" }
      }
      for (name, status, words) in [
        ("cut.json", Int32(1), "cut.json is not a stored run: it ends too soon and was cut short"),
        ("newer.json", 1, "newer.json has schema 2, but this program reads only up to schema 1"),
        ("empty.json", 5, "the baseline empty.json holds no figure to compare with"),
        ("strange.json", 5, "the baseline holds none of the cells asked for"),
      ] {
        let outcome = try await Executable.bench(Gate.exact + " --baseline \(name)", in: folder)
        #expect(outcome.status == .exited(status))
        #expect(outcome.errors.hasPrefix("error: \(words)\n"), "\(outcome.errors)")
      }
    }
  }
}
