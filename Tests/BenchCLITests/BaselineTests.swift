import BenchResults
import Foundation
import Subprocess
import Testing

@Suite("Baselines are kept by name")
struct BaselineTests {
  private static let run =
    "run --allow-debug --backend json --menu small --metrics allocations,stored_bytes"

  /// Runs a test in a folder where a run was measured and kept as `main`.
  private func withBaseline(_ body: (String) async throws -> Void) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(Self.run + " --save-baseline main", in: folder)
      #expect(outcome.status == .exited(0))
      #expect(outcome.errors.hasSuffix("baseline 'main': Reports/baselines/main.json\n"))
      try await body(folder)
    }
  }

  /// Makes every count of allocations of a stored run smaller or larger.
  private func change(_ path: String, by change: Double) throws {
    var record = try RunFile.read(path)
    for index in record.cells.indices where record.cells[index].metric == .allocations {
      record.cells[index].blocks = record.cells[index].blocks.map { $0.map { max($0 + change, 0) } }
    }
    try RunFile.write(record, to: path)
  }

  @Test("A run is saved, listed, shown, compared and removed, and diff accepts its name")
  func lifecycle() async throws {
    try await withBaseline { folder in
      let bench = Executable.bench
      let saved = try await bench("baseline save other", in: folder)
      #expect(
        saved.status == .exited(0) && saved.errors.contains("it has no times to compare with"))
      let list = try await bench("baseline list", in: folder)
      #expect(list.status == .exited(0))
      let record = try RunFile.read(folder + "/Reports/baselines/main.json")
      let text = """
          measured  \(record.settings.started), revision unknown
          1 cell    json/small/roundtrip/atomic
          menus     small (\(record.menus[0].fingerprint))
          times     none measured

        """
      #expect(list.output == "main\n" + text + "\nother\n" + text)
      let csv = try await bench("report main --format csv", in: folder)
      #expect(csv.output.hasPrefix("backend,menu,"))
      #expect(try await bench(Self.run + " --baseline main", in: folder).status == .exited(0))
      #expect(try await bench("baseline remove other", in: folder).status == .exited(0))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/Reports/baselines")
      #expect(files == ["main.json"])
      for arguments in ["main latest", "Reports/latest main", "main main"] {
        let outcome = try await bench("diff \(arguments)", in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
      }
      try FileManager.default.copyItem(
        atPath: folder + "/Reports/baselines/main.json", toPath: folder + "/main")
      try change(folder + "/main", by: 1)
      #expect(try await bench("diff latest ./main", in: folder).status == .exited(2))
      let held = try await bench("diff latest main", in: folder)
      #expect(held.status == .exited(0))
      #expect(held.errors.hasPrefix("note: 'main' is read as a baseline."))
    }
  }

  @Test("A baseline of a single block says that its times are too few to compare")
  func oneBlock() async throws {
    try await inFolder { folder in
      let bench = Executable.bench
      let run =
        "run --allow-debug --backend memory --menu small --blocks 1 --metrics wall --out out"
      #expect(try await bench(run, in: folder).status == .exited(0))
      let saved = try await bench("baseline save main --from out", in: folder)
      let doubt =
        "from 1 block, too few for an interval: to compare times, save a run of --blocks 12\n"
      #expect(saved.errors.hasSuffix("its times are " + doubt))
      let list = try await bench("baseline list", in: folder)
      #expect(list.output.hasSuffix("  times     comparable here; " + doubt))
      // The columns for the reader of a pipe.
      for (columns, rule) in [("70", 70), ("20", 100)] {
        let report = try await bench.run(
          ["report", "out"], in: folder, environment: .inherit.updating(["COLUMNS": columns]))
        let widest = report.output.split(separator: "\n").map(\.count).max() ?? 0
        #expect(widest <= rule && widest > rule - 30)
      }
    }
  }

  @Test("A baseline of another method compares with nothing, but is shown and can be replaced")
  func otherMethod() async throws {
    try await withBaseline { folder in
      let bench = Executable.bench
      let path = folder + "/Reports/baselines/main.json"
      let json = try String(contentsOfFile: path, encoding: .utf8)
      let older = json.replacingOccurrences(of: #""method":6,"#, with: "")
      #expect(older != json)
      try older.write(toFile: path, atomically: true, encoding: .utf8)
      try older.write(toFile: folder + "/old.json", atomically: true, encoding: .utf8)
      let refusal =
        " was measured by method 1 of MenuBench, this run by method 6. The same names mean other"
        + " figures, so the two cannot be compared\nhelp: measure a new one, and save it:"
        + " --save-baseline"
      for (command, name, saved) in [
        (Self.run + " --baseline main", "main", "main"),
        (Gate.exact + " --baseline main", "main", "main"),
        (Self.run + " --baseline ./old.json", "./old.json", "NAME"),
        ("report Reports/latest --baseline main", "main", "main"),
        ("diff ./old.json Reports/latest", "./old.json", "NAME"),
      ] {
        let outcome = try await bench(command, in: folder)
        #expect(outcome.status == .exited(5), "\(command)")
        #expect(
          outcome.errors.contains("error: the baseline \(name)\(refusal) \(saved)\n"),
          "\(outcome.errors)")
      }
      for command in [
        "report old.json", "report old.json --baseline main", "diff old.json old.json",
        "report main",
      ] {
        #expect(try await bench(command, in: folder).status == .exited(0), "\(command)")
      }
      let list = try await bench("baseline list", in: folder)
      #expect(
        list.output.contains(
          "nothing is comparable here any more: method of measuring: 6, baseline 1\n"))
      let saved = try await bench(Self.run + " --save-baseline main", in: folder)
      #expect(saved.status == .exited(0))
      #expect(
        saved.errors.contains(
          "note: nothing was compared with the old baseline 'main', by another method of"
            + " measuring: 6, baseline 1\n"))
      #expect(try RunFile.read(path).tool.method == 6)
      let back = try await bench("baseline save main --from old.json", in: folder)
      #expect(back.status == .exited(3))
    }
  }

  @Test("A run that measures less is refused before it starts, and one that regressed is not saved")
  func refused() async throws {
    try await withBaseline { folder in
      let less = try await Executable.bench(
        "run --allow-debug --backend plist --menu small --save-baseline main --out other",
        in: folder)
      #expect(less.status == .exited(3))
      #expect(less.errors.hasPrefix("error: the baseline 'main' is kept: this run lacks"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/other"))
      try change(folder + "/Reports/baselines/main.json", by: -1)
      let outcome = try await Executable.bench(
        Self.run + " --baseline main --save-baseline new", in: folder)
      #expect(outcome.status == .exited(2))
      #expect(outcome.errors.contains("note: the run is not kept as baseline 'new'\n"))
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/Reports/baselines")
      #expect(files == ["main.json"])
      for (file, status) in [
        (#"{"tolerances": {"allocations": 1}}"#, Int32(0)),
        (#"{"tolerances": {"allocations": 1}, "limits": {"json/stored_bytes": "1B"}}"#, 2),
        (#"{"tolerances": {"alocations": 1}}"#, 64),
      ] {
        try file.write(toFile: folder + "/menubench.json", atomically: true, encoding: .utf8)
        let gate = Self.run.replacing(/^run/, with: "gate --tier exact --no-explain --out out")
        for command in [Self.run, "report latest", gate] {
          let judged = try await Executable.bench(command + " --baseline main", in: folder)
          #expect(judged.status == .exited(status), "\(command): \(judged.errors)")
        }
      }
    }
  }

  @Test("A name that leads out of the folder is refused before anything is measured")
  func badName() async throws {
    try await inFolder { folder in
      for arguments in [
        "run --allow-debug --menu small --save-baseline ../main", "baseline save ../main",
        "baseline remove a//b", "baseline remove .hidden",
      ] {
        let outcome = try await Executable.bench(arguments, in: folder)
        #expect(outcome.status == .exited(64))
        #expect(outcome.errors.contains("is not a baseline name\nhelp: a name has 1 to 100 of"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      }
    }
  }

  @Test("A list says which files are broken, and why times of another machine do not compare")
  func listed() async throws {
    try await withBaseline { folder in
      let baselines = folder + "/Reports/baselines"
      var record = try RunFile.read(baselines + "/main.json")
      record.machine.cpu = "Z80"
      record.machine.sqlite = "2.8"
      try RunFile.write(record, to: baselines + "/main.json")
      for (name, text) in [
        ("cut", "{\"schema\":1,"), ("newer", "{\"schema\":9}"), ("a b", "{}"), ("text", "hello"),
      ] {
        try text.write(toFile: "\(baselines)/\(name).json", atomically: true, encoding: .utf8)
      }
      let outcome = try await Executable.shell(
        "ln -s /etc/passwd \(baselines)/link.json; mkfifo \(baselines)/pipe.json;"
          + " \(Executable.bench.path) baseline list", in: folder)
      #expect(outcome.status == .exited(0))
      let place = "Reports/baselines"
      for text in [
        "a b\n  broken  a name has 1 to 100 of A-Z a-z 0-9 . _ - / @ # +, and no part begins with a dot\n",
        "cut\n  broken  \(place)/cut.json is not a stored run: it ends too soon and was cut short\n",
        "link\n  broken  \(place)/link.json is a link that leads out of \(place)\n",
        "\nmain\n  measured  ", "  times     not comparable here, but counts are: cpu: ",
        ", baseline Z80\n",
        "  counts    allocations may differ for this reason alone: sqlite: ",
        "newer\n  broken  \(place)/newer.json has schema 9, but this program reads only up to"
          + " schema 1\n",
        "pipe\n  broken  \(place)/pipe.json is not a regular file\n",
        "text\n  broken  \(place)/text.json is not a stored run: it is not JSON at line 1, column 1",
      ] {
        #expect(outcome.output.contains(text), "\(outcome.output)")
      }
    }
  }

  @Test("A missing file is named with the system's reason and a remedy")
  func nowhere() async throws {
    try await inFolder { folder in
      let system = " cannot be read: No such file or directory"
      let aRun = "give the run.json of a 'bench run', or the folder that holds one"
      let none =
        "there are no baselines in Reports/baselines: make one with 'bench baseline save NAME'"
      let first = "make one with 'bench run', or give a run.json or the folder that holds one"
      for (arguments, status, message, help) in [
        (
          "diff nowhere nowhere", 5, "there is no run and no baseline 'nowhere'",
          none + ", or give a run.json"
        ),
        ("diff ./x.json nowhere", 1, "./x.json" + system, aRun),
        ("report ./nowhere", 1, "./nowhere" + system, aRun),
        (
          "baseline save main", 1, "no run 'Reports/latest': 0 runs are kept in Reports/runs", first
        ),
        ("diff latest~2 main", 1, "no run 'latest~2': 0 runs are kept in Reports/runs", first),
        ("baseline save main --from x.json", 1, "x.json" + system, aRun),
      ] as [(String, Int32, String, String)] {
        let outcome = try await Executable.bench(arguments, in: folder)
        #expect(outcome.status == .exited(status))
        #expect(outcome.errors == "error: \(message)\nhelp: \(help)\n")
      }
    }
  }

  @Test("A missing baseline is answered with the existing ones, the nearest first")
  func missing() async throws {
    try await withBaseline { folder in
      for arguments in [
        "baseline remove mian", "report mian", "report Reports/latest --baseline mian",
        Self.run + " --baseline mian", Gate.exact + " --baseline mian",
      ] {
        let outcome = try await Executable.bench(arguments, in: folder)
        #expect(outcome.status == .exited(5))
        #expect(
          outcome.errors.contains(
            "no baseline 'mian'\nhelp: did you mean 'main'? baselines: main"))
      }
    }
  }

  @Test(
    "A branch's name makes a baseline in one file, and a baseline without figures does not pass")
  func branch() async throws {
    try await withBaseline { folder in
      let name = "feature/log-in#7"
      let bench = Executable.bench
      let saved = try await bench("baseline save \(name)", in: folder)
      #expect(saved.status == .exited(0))
      #expect(
        FileManager.default.fileExists(
          atPath: folder + "/Reports/baselines/feature%2Flog-in%237.json"))
      #expect(try await bench("baseline list", in: folder).output.hasPrefix("\(name)\n"))
      let report = try await bench("report Reports/latest --baseline \(name)", in: folder)
      #expect(report.status == .exited(0))
      #expect(try await bench("baseline remove \(name)", in: folder).status == .exited(0))
      var record = try RunFile.read(folder + "/Reports/latest/run.json")
      for index in record.cells.indices { record.cells[index].blocks = [] }
      try RunFile.write(record, to: folder + "/empty.json")
      let empty = try await bench("report Reports/latest --baseline empty.json", in: folder)
      #expect(empty.status == .exited(5))
      #expect(
        empty.errors.hasPrefix("error: the baseline empty.json holds no figure to compare with"))
    }
  }
}
