import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("On a terminal")
struct TerminalTests {
  /// The control sequences of a screen.
  private func codes(_ screen: String) -> Set<String> {
    Set(screen.matches(of: /\u{1b}\[[0-9;]*[A-Za-z]/).map { String($0.output) })
  }

  /// The lines of a screen, and what was redrawn in one, without control sequences.
  private func lines(_ screen: String) -> [String] {
    screen.replacing(/\u{1b}\[[0-9;]*[A-Za-z]/, with: "").unicodeScalars
      .split { $0 == "\r" || $0 == "\n" }.map { String(String.UnicodeScalarView($0)) }
  }

  /// Two stored runs of two storages. The second run allocates more.
  private func inFolderOfRuns(_ body: (String) async throws -> Void) async throws {
    try await inFolder { folder in
      let run = "run --allow-debug --backend json,sqlite --menu small --blocks 1 --out before"
      let outcome = try await Executable.bench(run, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      var record = try RunFile.read(folder + "/before/run.json")
      for index in record.cells.indices where record.cells[index].metric == .allocations {
        record.cells[index].blocks = record.cells[index].blocks.map { $0.map { $0 + 9 } }
      }
      try FileManager.default.createDirectory(
        atPath: folder + "/after", withIntermediateDirectories: false)
      try RunFile.write(record, to: folder + "/after/run.json")
      try await body(folder)
    }
  }

  @Test("with 80 columns no line is wider, and ids are whole")
  func narrow() async throws {
    try await inFolderOfRuns { folder in
      let run =
        "run --allow-debug --backend json,plist,sqlite-records,object-graph-faulting --menu small --blocks 1"
        + " --metrics wall --no-files"
      let commands: [(String, Int32)] = [
        ("report after", 0), ("diff before after", 2), ("compare --run after", 0), ("list", 0),
        ("list workloads", 0), ("list metrics", 0),
        ("history add before after", 0), ("history show", 0), ("history show json", 0),
        ("history list", 0), ("baseline save main --from before", 0), ("baseline list", 0),
        ("report main", 0), ("report after --baseline main", 2), ("doctor --seconds 0.1", 0),
      ]
      for (command, expected) in commands {
        let (status, screen) = try await Executable.bench.shown(command, in: folder, columns: 80)
        #expect(status == .exited(expected), "\(command): \(screen)")
        // The terminal breaks text that you may copy.
        let wide = lines(screen).filter {
          $0.count > 80 && !$0.hasPrefix("help: ") && !$0.hasPrefix("error: ")
        }
        #expect(wide.isEmpty, "\(command)")
        // A list of runs has no space for a machine's whole name.
        #expect(!screen.contains("…") || command == "history list", "\(command)")
      }
      let (status, screen) = try await Executable.bench.shown(run, in: folder, columns: 80)
      #expect(status == .exited(0))
      #expect(lines(screen).allSatisfy { $0.count <= 80 } && !screen.contains("…"))
      #expect(lines(screen).contains { $0.hasSuffix("  sqlite-records/small/roundtrip/atomic") })
      #expect(lines(screen).contains { $0.hasPrefix("sqlite-records  ") })
    }
  }

  @Test("help fits 80 columns, and no line of prose ends early")
  func help() async throws {
    try await inFolder { folder in
      for command in [
        "", "run", "compare", "scale", "gate", "diff", "report", "profile", "merge", "history",
        "history add", "history show", "baseline", "baseline save", "doctor", "list", "init",
        "generate", "import", "shape",
      ] {
        let (status, screen) = try await Executable.bench.shown(
          command + " --help", in: folder, columns: 80)
        #expect(status == .exited(0))
        #expect(
          lines(screen).allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE: ") }, "\(command)")
      }
      for (command, line) in [
        ("gate", "over its limit, 3 something could not be measured or is missing, 5 nothing to"),
        ("", "  counts        Allocations, bytes and the like, equal in all runs of a build."),
        ("init", "and your own package is not changed."),
      ] {
        let help = try await Executable.bench.shown(command + " --help", in: folder, columns: 80)
        #expect(help.screen.contains(line), "\(command)")
      }
    }
  }

  @Test("colours and widths follow the terminal and the user's options")
  func looks() async throws {
    try await inFolderOfRuns { folder in
      for command in ["report after", "compare --run after"] {
        let narrow = try await Executable.bench.shown(command, in: folder, columns: 60).screen
        let wide = try await Executable.bench.shown(command + " --wide", in: folder, columns: 60)
          .screen
        #expect(lines(narrow).allSatisfy { $0.count <= 60 }, "\(command)")
        #expect(lines(wide).contains { $0.count > 60 }, "\(command)")
        #expect(!wide.contains("(left out: "), "\(command)")
      }
      let diff = "diff before after --allow-missing"
      let (status, coloured) = try await Executable.bench.shown(diff, in: folder, columns: 80)
      #expect(status == .exited(2))
      #expect(coloured.contains("\u{1b}[31mmore\u{1b}[0m"))
      let (_, plain) = try await Executable.bench.shown(
        diff, in: folder, columns: 80, noColor: "1")
      #expect(plain.contains("more") && codes(plain).isEmpty)
      let piped = try await Executable.bench(diff, in: folder)
      #expect(piped.output.contains("more") && codes(piped.output + piped.errors).isEmpty)
    }
  }

  @Test("progress is redrawn in its line, and removed at the end")
  func progress() async throws {
    try await inFolder { folder in
      let run = "run --allow-debug --backend json --menu small --blocks 2 --no-files"
      let (_, screen) = try await Executable.bench.shown(run, in: folder, columns: 80)
      let start = try #require(lines(screen).first { $0 != "preparing menus" })
      #expect(start == "measuring json on small: roundtrip at atomic; 1 cell, 2 blocks each")
      #expect(screen.contains("\r░░░░░░░░░░░░░░░░░░░░ 0/1 cells, "))
      #expect(screen.contains("\r\u{1b}[Kcells: 1 with the blocks asked for\n"))
      let (_, quiet) = try await Executable.bench.shown(run + " --quiet", in: folder, columns: 80)
      #expect(!quiet.contains("\r") && !quiet.contains("measuring"))
    }
  }
}
