import Foundation
import Subprocess
import Testing

@Suite("bench gate adapts to its environment")
struct GateEnvironmentTests {
  private static let injected =
    "\(Executable.bench.path) \(Gate.itself) --inject json/decode:allocations=1"

  @Test("On GitHub it adds to the step's summary, if that is writable, and annotates regressions")
  func github() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        "echo before > summary; GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=summary \(Self.injected)",
        in: folder)
      #expect(outcome.status == .exited(2))
      let marks = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("::") }
      #expect(marks.count == 2)
      #expect(marks.allSatisfy { $0.hasPrefix("::error title=regressed%3A json/") })
      let summary = try String(contentsOfFile: folder + "/summary", encoding: .utf8)
      #expect(summary.hasPrefix("before\n"))
      #expect(summary.contains("- more: json/"))
      for (place, reason) in [
        ("no/summary", "No such file or directory"), (".", "Is a directory"),
        ("/dev/full", "No space left on device"),
      ] {
        let unwritable = try await Executable.shell(
          "GITHUB_ACTIONS=true GITHUB_STEP_SUMMARY=\(place) \(Self.injected)", in: folder)
        #expect(unwritable.status == .exited(2))
        #expect(
          unwritable.errors.contains("note: the step summary \(place) was not written: \(reason)\n")
        )
      }
      let elsewhere = try await Executable.shell(
        "touch other; unset GITHUB_ACTIONS; GITHUB_STEP_SUMMARY=other \(Self.injected)",
        in: folder)
      #expect(elsewhere.status == .exited(2))
      #expect(!elsewhere.errors.contains("::error"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder + "/other")).isEmpty)
    }
  }

  @Test("No name becomes a command of a CI system, and output for programs is unchanged")
  func noCommands() async throws {
    try await inFolder { folder in
      let bench = Executable.bench.path
      let file = try await Executable.shell("\(bench) report $'x\\n##vso[y]'", in: folder)
      #expect(file.status == .exited(1))
      #expect(
        file.errors.hasPrefix(
          "error: x ##vso\u{fffd}y] cannot be read: No such file or directory\nhelp: "),
        "\(file.errors)")
      let made = try await Executable.shell(
        "\(bench) run --allow-debug --backend json,sqlite --menu \(Gate.menu) --blocks 1"
          + " --metrics wall --out out"
          + " && sed 's/\"json\"/\"::error::json\"/g' out/run.json >hostile.json", in: folder)
      #expect(made.status == .exited(0), "\(made.errors)")
      func shown(_ format: String) async throws -> String {
        try await Executable.bench("report hostile.json --format \(format)", in: folder).output
      }
      let table = try await shown("table")
      #expect(table.contains("\n\u{fffd}::error::json "), "\(table)")
      #expect(!table.contains("\n::"))
      #expect(try await shown("csv").contains("\n::error::json,"))
    }
  }

  @Test("A full disk at standard output does not pass, and loses no measurement")
  func fullDisk() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        "\(Executable.bench.path) \(Gate.itself) > /dev/full", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.contains("error: standard output could not be written: "))
      #expect(try Gate.File(in: folder + "/out").failing.isEmpty)
    }
  }

  @Test("A second gate in one folder is refused")
  func second() async throws {
    try await inFolder { folder in
      // The lock is what a gate under way has.
      let outcome = try await Executable.shell(
        "mkdir out; exec 9< out; flock -n 9; \(Executable.bench.path) \(Gate.itself)", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.hasPrefix("error: another run is using out\nhelp: wait for it"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out") == [])
    }
  }

  #if os(Linux)
    @Test("A folder that cannot be locked, as on some network drives, is refused")
    func withoutLocks() async throws {
      try await inFolder { folder in
        let outcome = try await Executable.shell(
          "FAULTY_LOCKS=1 LD_PRELOAD=\(Executable.library("FaultyCalls"))"
            + " \(Executable.bench.path) \(Gate.itself)", in: folder)
        #expect(outcome.status == .exited(1))
        #expect(
          outcome.errors == """
            error: the folder out cannot be locked: No locks available
            help: check its permissions, or choose a folder on another file system

            """)
      }
    }
  #endif

  @Test("Ctrl-C leaves no store behind, and the caller sees the signal")
  func interrupted() async throws {
    try await inFolder { folder in
      let arguments =
        "\(Gate.any) --against \(Executable.bench.path) --backend all --tier time --metrics wall"
      let status = try await Executable.bench.run(
        arguments.split(separator: " ").map(String.init), in: folder
      ) { Self.isMeasuring(in: folder + "/out") }
      #expect(status == .signaled(SIGINT))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out")
      #expect(!files.contains { $0.hasPrefix(".") }, "\(files)")
    }
  }

  @Test("An interruption while it explains loses neither the report nor the failures")
  func explaining() async throws {
    try await inFolder { folder in
      let inject = "--explain --inject json/decode:allocations=100"
      let gate = "\(Executable.bench.path) \(Gate.itself) \(inject)"
      // A shell starts its background jobs without Ctrl-C.
      let outcome = try await Executable.shell(
        """
        \(gate) >report.txt 2>errors.txt & gate=$!
        until grep -q '^explaining ' errors.txt; do kill -0 $gate || exit 9; sleep 0.02; done
        kill -TERM $gate; wait $gate
        """, in: folder)
      // It may have been done with explaining just then.
      #expect([.exited(128 + 15), .exited(2)].contains(outcome.status), "\(outcome.errors)")
      let report = try String(contentsOfFile: folder + "/report.txt", encoding: .utf8)
      #expect(
        report.replacing(/\s+/, with: " ")
          .contains("more: \(Gate.cell) decode allocs: +100 "), "\(report)")
      #expect(try !Gate.File(in: folder + "/out").failing.isEmpty)
    }
  }

  /// Whether a block has its folder next to the links to both programs.
  private static func isMeasuring(in out: String) -> Bool {
    let files = FileManager.default
    let stores = (try? files.contentsOfDirectory(atPath: out))?.first { $0.hasPrefix(".stores-") }
    let found = stores.flatMap { try? files.contentsOfDirectory(atPath: out + "/" + $0) } ?? []
    return Set(found).subtracting(["b", "c"]).count > 0
  }
}
