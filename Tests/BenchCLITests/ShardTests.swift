import BenchAnalysis
import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("A suite that several machines measure, and bench merge joins")
struct ShardTests {
  /// Two menus under two workloads: four units, eight cells.
  private static let suite =
    "run --allow-debug --backend json,plist --menu \(menus) --workload roundtrip,search"
    + " --blocks 1 --metrics wall,\(Gate.counters)"
  /// Commas within a menu's shape do not end it.
  private static let menus = "\(Gate.menu),products=30,combos=3,slots=2,options=4,seed=1"

  /// The whole suite as one run measured it, its stores at paths as long as the shards': what opening one
  /// allocates depends on that.
  private static let whole = Task {
    try await inFolder { folder in
      let outcome = try await Executable.bench(suite + " --out whole/00", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      return try RunFile.read(folder + "/whole/00/run.json")
    }
  }

  /// The counts of a block. A library's thread may change a single sample.
  private func medians(_ series: Series) -> [Double] {
    series.blocks.map { $0.sorted()[($0.count - 1) / 2] }
  }

  /// Measures shards, each as a process of its own.
  private func measure(_ shards: [String], in folder: String) async throws {
    for (index, shard) in shards.enumerated() {
      let outcome = try await Executable.bench(
        Self.suite + " --shard \(shard) --out shards/\(index + 1)", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
    }
  }

  @Test("has the cells of one run, in its order, and its exact metrics", arguments: [2, 5])
  func merges(count: Int) async throws {
    let whole = try await Self.whole.value
    try await inFolder { folder in
      try await measure((1...count).map { "\($0)/\(count)" }, in: folder)
      let outcome = try await Executable.bench("merge shards --out merged", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.output.contains("at durability atomic · shard 2\n"))
      let merged = try RunFile.read(folder + "/merged/run.json")
      #expect(merged.cells.map(\.key) == whole.cells.map(\.key))
      #expect(merged.outcomes.allSatisfy { $0.seconds ?? 0 > 0 })
      let untimed = [merged, whole].map { record in
        record.outcomes.map { outcome in
          var outcome = outcome
          outcome.seconds = nil
          return outcome
        }
      }
      #expect(untimed[0] == untimed[1])
      for (here, there) in zip(merged.cells, whole.cells) where there.metric.isExact {
        #expect(medians(here) == medians(there), "\(here.key)")
      }
      #expect(merged.menus == whole.menus && merged.workloads == whole.workloads)
      #expect(merged.failures.isEmpty && merged.missingCells.isEmpty)
      #expect(merged.mergedShards.map(\.number) == Array(1...min(count, 4)))
      // Pairs are whole: both backends of each were measured by one shard.
      let pairs = Dictionary(grouping: merged.outcomes.map(\.cell)) { [$0.menu, $0.workload] }
      for cells in pairs.values {
        #expect(Set(cells.map { merged.shard(of: $0)?.number }).count == 1)
        #expect(Set(cells.map(\.backend)) == ["json", "plist"])
      }
      let report = try await Executable.bench("report merged --format csv", in: folder)
      let csv = try String(contentsOfFile: folder + "/merged/report.csv", encoding: .utf8)
      #expect(report.output == csv)
    }
  }

  @Test("A shard without work says so, ends with 0, and leaves a readable run")
  func nothing() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        Self.suite + " --shard 5/5 --out empty", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(
        outcome.errors.contains(
          "shard 5 of 5 has nothing to do: there are 4 units of a menu and a workload\n"))
      let run = try RunFile.read(folder + "/empty/run.json")
      #expect(run.cells.isEmpty && run.outcomes.isEmpty)
      #expect(run.split?.shards == [Shard(number: 5)])
      let report = try await Executable.bench("report empty", in: folder)
      #expect(report.status == .exited(0))
    }
  }

  @Test("Pods of an Indexed Job measure by index, and costs of an earlier run split otherwise")
  func jobs() async throws {
    try await inFolder { folder in
      let bench = Executable.bench.path
      let suite = Self.suite.replacing("," + Gate.counters, with: "")
      let outcome = try await Executable.shell(
        """
        set -e; \(bench) \(suite) --out whole
        for JOB_COMPLETION_INDEX in 0 1 2; do
          export JOB_COMPLETION_INDEX
          \(bench) \(suite) --costs whole --shard $((JOB_COMPLETION_INDEX + 1))/3 --out shards/$JOB_COMPLETION_INDEX
        done
        \(bench) merge shards/2 shards/0/run.json shards/1 --out merged --tag on=pods
        """, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let merged = try RunFile.read(folder + "/merged/run.json")
      #expect(merged.settings.tags == ["on": "pods"])
      #expect(merged.missingCells.isEmpty && merged.outcomes.count == 8)
      let other = try await Executable.bench(
        suite + " --shard 3/3 --blocks 2 --out shards/2", in: folder)
      #expect(other.status == .exited(0))
      let refused = try await Executable.bench("merge shards --out other", in: folder)
      #expect(refused.status == .exited(1))
      #expect(
        refused.errors.hasPrefix(
          """
          error: shards/0 and shards/2 are not shards of one suite (blocks: 1 and 2)
          help: measure every shard by the same program, with the same options and --costs
          """))
    }
  }

  @Test("A shard that is missing, doubled or not a shard is refused, each with its status")
  func refused() async throws {
    try await inFolder { folder in
      try await measure(["1/3", "2/3"], in: folder)
      let missing = try await Executable.bench("merge shards --out merged", in: folder)
      #expect(missing.status == .exited(3))
      #expect(missing.errors.hasPrefix("error: shard 3 of 3 is missing: 2 cells not measured"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/merged"))
      let allowed = try await Executable.bench(
        "merge shards --out merged --allow-missing", in: folder)
      #expect(allowed.status == .exited(0), "\(allowed.errors)")
      #expect(allowed.output.contains("warning: shard 3 of 3 is missing: 2 cells not measured"))
      // Compared with a whole run, the lost shard's cells are missing, and no other shard has them.
      var stored = try RunFile.read(folder + "/merged/run.json")
      var lost = try #require(stored.cells.first { $0.phase == "decode" && $0.unsupported == nil })
      lost.cell = try #require(stored.missingCells.first)
      stored.cells.append(lost)
      try RunFile.write(stored, to: folder + "/stored.json")
      let lacking = try await Executable.bench("report merged --baseline stored.json", in: folder)
      #expect(lacking.status == .exited(3), "\(lacking.errors)")
      #expect(lacking.errors.contains("error: 1 figure of the baseline is missing now, the first "))
      let own = try await Executable.bench("report shards/1 --baseline stored.json", in: folder)
      #expect(own.status == .exited(0), "\(own.errors)")
      let twice = try await Executable.bench("merge shards shards/2 --no-files", in: folder)
      #expect(twice.status == .exited(1))
      let words = "error: shards/2 and shards/2 both hold shard 2, and so json/"
      #expect(twice.errors.hasPrefix(words))
      let whole = try await Executable.bench(
        "run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics wall --out whole", in: folder)
      #expect(whole.status == .exited(0))
      let plain = try await Executable.bench("merge shards whole --no-files", in: folder)
      #expect(plain.status == .exited(1))
      #expect(
        plain.errors.hasPrefix("error: whole is not a shard: it was measured as a whole\nhelp: "))
      let none = try await Executable.bench("merge . --no-files", in: folder + "/shards/1")
      #expect(none.status == .exited(3))
      let empty = folder + "/empty"
      try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
      let nothing = try await Executable.bench("merge empty --no-files", in: folder)
      #expect(nothing.status == .exited(1))
      #expect(
        nothing.errors.hasPrefix("error: neither empty nor a folder in it holds a run.json\n"))
    }
  }

  @Test("Figures of different machines are shown, but neither ranked nor fitted to a curve")
  func unlike() async throws {
    try await inFolder { folder in
      try await measure(["1/2", "2/2"], in: folder)
      let path = folder + "/shards/2/run.json"
      var other = try RunFile.read(path)
      other.machine.cpu = "another"
      try RunFile.write(other, to: path)
      let merged = try await Executable.bench("merge shards --out merged", in: folder)
      #expect(merged.status == .exited(0), "\(merged.errors)")
      #expect(merged.output.contains("no ranking across machines: shard 2 differs from shard 1"))
      for command in ["compare", "scale"] {
        let outcome = try await Executable.bench("\(command) --run merged", in: folder)
        #expect(outcome.status == .exited(1))
        #expect(
          outcome.errors.hasPrefix(
            "error: merged was measured on several machines, so its backends have "
              + "no ranks: shard 2"))
      }
      let alone = try await Executable.bench("compare --run shards/1", in: folder)
      #expect(alone.status == .exited(0), "\(alone.errors)")
      let lost = try await Executable.bench("merge shards --out shards/1/", in: folder)
      #expect(lost.status == .exited(64))
      #expect(
        lost.errors
          == "error: --out would replace shards/1, which this command reads\n"
          + "help: choose another place with --out\n")
      #expect(try RunFile.read(folder + "/shards/1/run.json").mergedShards.isEmpty)
    }
  }
}
