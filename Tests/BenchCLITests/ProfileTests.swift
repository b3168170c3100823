import BenchAnalysis
import BenchResults
import Foundation
import Subprocess
import Testing

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if os(Linux)
  @Suite("bench profile shows the costs of a phase")
  struct ProfileTests {
    private static let files = ["profile.collapsed", "profile.html", "profile.json"]

    @Test("Stacks are complete and have names, and are written in every form")
    func processor() async throws {
      try await inFolder { folder in
        let outcome = try await profile("--phase decode --seconds 1", in: folder)
        #expect(outcome.output.hasPrefix("json · small · roundtrip · decode: "))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
        #expect(files == Self.files)
        let collapsed = try String(
          contentsOfFile: folder + "/out/profile.collapsed", encoding: .utf8)
        #expect(collapsed.split(separator: "\n").allSatisfy { $0.hasPrefix("decode") })
        let profile = try profiles(in: folder, phase: "decode")
        #expect(profile.facts.taken > 10)
        #expect(Double(profile.facts.lost + profile.facts.cut) <= 0.1 * Double(profile.facts.taken))
        // Debian's C library names only the functions that others call.
        let innermost = profile.stacks.compactMap { stack in
          stack.frames.last.map { (frame: profile.frames[$0], time: stack.total[0]) }
        }.filter { $0.frame.owner != .system }
        let named = innermost.filter(\.frame.isNamed).reduce(0) { $0 + $1.time }
        #expect(named >= 0.95 * innermost.reduce(0) { $0 + $1.time })
        let outer = profile.stacks.compactMap { $0.frames.first.map { profile.frames[$0].name } }
        #expect(outer.contains { $0.contains("RoundTripWorkload") })
        #expect(profile.frames.contains { $0.name.hasPrefix("JSONDecoder.decode") })
      }
    }

    @Test("Allocations add up to the phase's own counters")
    func allocations() async throws {
      try await inFolder { folder in
        let run = try await Executable.bench(
          "run --allow-debug --menu small --blocks 1 --out run", in: folder)
        #expect(run.status == .exited(0), "\(run.errors)")
        let record = try RunFile.read(folder + "/run/run.json")
        _ = try await profile("--what allocations", in: folder)
        for phase in ["encode", "decode"] {
          let profile = try profiles(in: folder, phase: phase)
          let runs = Double(profile.facts.runs)
          // Each stack once, whatever its number of runs, lost ones included.
          #expect(max(profile.stacks.count, profile.facts.lost) <= profile.facts.taken)
          for (index, metric) in [Metric.allocatedBytes, Metric.allocations].enumerated() {
            let series = record.cells.first { $0.phase == phase && $0.metric == metric }
            let counted = try #require(series?.blocks.first)
            let profiled = profile.stacks.reduce(0) { $0 + $1.total[index] }
            #expect(profiled / runs == counted.reduce(0, +) / Double(counted.count), "\(phase)")
          }
        }
      }
    }

    @Test("Every system call is recorded, with its number and bytes")
    func calls() async throws {
      try await inFolder { folder in
        _ = try await profile("--what io --phase write", in: folder)
        let write = try profiles(in: folder, phase: "write")
        func of(_ call: String) -> [Double] {
          let stacks = write.stacks.filter { stack in
            stack.frames.last.map { write.frames[$0].name.hasPrefix(call + " ") } ?? false
          }
          return stacks.map(\.total).reduce([0, 0, 0, 0]) { zip($0, $1).map(+) }
        }
        let runs = Double(write.facts.runs)
        #expect(of("openat")[1] == runs && of("fsync")[1] == runs && of("rename")[1] == runs)
        let read = try profiles(in: folder, phase: "read")
        #expect(of("write")[3] == read.stacks.reduce(0) { $0 + $1.total[2] })
      }
    }

    @Test(
      "Instructions are counted by function",
      .enabled(
        if: FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind"),
        "skipped: no valgrind here"))
    func instructions() async throws {
      try await inFolder { folder in
        let outcome = try await Executable.bench(
          "profile --allow-debug --menu products=20,combos=2,slots=2,options=4,seed=7 --phase decode"
            + " --what instructions --out out", in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
        let decode = try profiles(in: folder, phase: "decode")
        #expect(decode.frames.contains { $0.name.hasPrefix("JSONDecoder.decode") })
        #expect(FunctionCosts(decode).whole > 100_000)
      }
    }

    @Test(
      "Bad input is refused before anything is profiled",
      arguments: [
        ("--phase decoed", "unknown phase 'decoed'", "did you mean 'decode'?"),
        (
          "--workload roundtrop --phase decode", "unknown workload 'roundtrop'",
          "did you mean 'roundtrip'?"
        ),
        ("--what time", "unknown profile 'time'", "profiles: cpu, allocations, instructions, io"),
        ("--backend all --what io", "only by cpu, not by 'io'", "give one backend"),
        ("--durability all", "3 cells are too many to profile", "give one menu"),
        ("--seconds 0", "--seconds", "0.1"),
        ("--diff json", "--diff needs two sides, not 1", "--diff HEAD~1 HEAD"),
        ("--diff json sqlite --menu small,large", "2 cells are too many", "give one backend"),
        ("--backend jsno", "unknown backend 'jsno'", "did you mean 'json'?"),
      ])
    func badInput(arguments: String, error: String, help: String) async throws {
      try await inFolder { folder in
        let outcome = try await Executable.bench(
          "profile --allow-debug --menu small --out out " + arguments, in: folder)
        #expect(outcome.status == .exited(64))
        #expect(
          outcome.errors.contains(error) && outcome.errors.contains(help), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
      }
    }

    @Test("Several backends have a line each, with parts that add up to their time")
    func sideBySide() async throws {
      try await inFolder { folder in
        let outcome = try await profile(
          "--backend json,sqlite --phase write --seconds 0.5", in: folder)
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.prefix(2) == ["Time by kind of code: small · roundtrip · atomic", "write"])
        #expect(lines.allSatisfy { $0.count <= 80 })
        // The profiled work, then a line for each backend.
        #expect(
          outcome.errors.split(separator: "\n").prefix(3) == [
            "profiling json, sqlite on small: roundtrip at atomic by cpu; about 1 s each plus starting processes",
            "profiling json/small/roundtrip/atomic: 1 of 2",
            "profiling sqlite/small/roundtrip/atomic: 2 of 2",
          ])
        for backend in ["json", "sqlite"] {
          let line = try #require(lines.first { $0.hasPrefix(backend + " ") })
          let words = line.split(separator: " ")
          let shares = words.indices.filter { words[$0] == "%" }.compactMap {
            Double(words[$0 - 1])
          }
          #expect(shares.count == 6 && abs(shares.reduce(0, +) - 100) < 3)
        }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
        #expect(files == ["profile.json", "profile.md"])
      }
    }

    @Test("Two storages are compared function by function")
    func difference() async throws {
      try await inFolder { folder in
        let outcome = try await profile(
          "--diff plist json --phase decode --seconds 0.5", in: folder)
        #expect(outcome.output.hasPrefix("small · roundtrip · decode: "))
        #expect(
          outcome.errors.contains(
            "profiling plist, json on small: roundtrip at atomic by cpu; about 1 s each plus starting"
              + " processes\n"))
        #expect(outcome.output.contains("Increases") && outcome.output.contains("Decreases"))
        #expect(outcome.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        let page = try String(contentsOfFile: folder + "/out/profile.html", encoding: .utf8)
        #expect(page.contains("Removed calls") && page.contains("from plist to json"))
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/out").sorted()
        #expect(files == (Self.files + ["profile-before.json", "profile.md"]).sorted())
        // A kept profile can be compared with another later.
        let again = try await Executable.bench(
          "profile --allow-debug --diff out out --phase decode --out again", in: folder)
        #expect(again.status == .exited(0), "\(again.errors)")
        #expect(again.output.contains("Increases\n\nnone"))
        #expect(!again.errors.contains("profiling "))
      }
    }

    @Test("A gate names the function that caused a regression")
    func gate() async throws {
      try await inFolder { folder in
        let outcome = try await Executable.bench(
          Gate.itself + " --explain --inject json/decode:allocations=100", in: folder)
        #expect(outcome.status == .exited(2), "\(outcome.errors)")
        let words = "because of AddedWork.allocations(_:) +100: 100 % of the increase"
        #expect(outcome.output.replacing(/\s+/, with: " ").contains(words), "\(outcome.output)")
        let markdown = try String(contentsOfFile: folder + "/out/report.md", encoding: .utf8)
        #expect(markdown.contains("because of AddedWork.allocations"))
        let kept = try String(contentsOfFile: folder + "/out/gate.json", encoding: .utf8)
        #expect(kept.contains("\"function\" : \"AddedWork.allocations(_:)\""))
      }
    }

    @Test(
      "A worker that crashes or hangs meanwhile is reported, and leaves nothing",
      arguments: [
        ("crashes", "crashed"), ("hangs --timeout 10", "hung: it sent nothing for 10 s"),
      ])
    func failure(backend: String, error: String) async throws {
      try await inFolder { folder in
        let outcome = try await Executable.faulty(
          "profile --allow-debug --menu small --out out --backend " + backend, in: folder)
        #expect(outcome.status == .exited(3))
        #expect(outcome.errors.contains(error), "\(outcome.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out").isEmpty)
      }
    }

    @Test("The given phase has the samples")
    func asked() async throws {
      try await inFolder { folder in
        _ = try await profile("--phase read --seconds 1", in: folder)
        let read = try profiles(in: folder, phase: "read")
        let decode = try profiles(in: folder, phase: "decode")
        #expect(read.facts.taken > 30 && read.facts.runs > 5 * decode.facts.runs)
        #expect(read.facts.runsOfBlocks?.reduce(0, +) == read.facts.runs)
      }
    }

    @Test(
      "Profiles that contradict themselves, or are of other work, are not compared",
      arguments: [
        ("\"runs\":", "\"runs\":-", "contradicts itself in decode: it has impossible counts"),
        (
          "\"frames\":[0", "\"frames\":[999999",
          "contradicts itself in decode: a stack names function"
        ),
        ("\"schema\":1", "\"schema\":7", "it has schema 7, but this program reads 1"),
        ("\"menu\":\"small\"", "\"menu\":\"huge\"", "the two sides did different work"),
        ("[{", "{", "holds no profiles"),
      ])
    func stored(part: String, damage: String, error: String) async throws {
      try await inFolder { folder in
        let sound = Profile(
          what: .io,
          cell: Cell(backend: "json", menu: "small", workload: "roundtrip", durability: "atomic"),
          phase: "decode", measures: [Profile.Measure(id: "time", unit: .nanoseconds)],
          frames: [Profile.Frame(name: "a", module: "b", owner: .program)],
          stacks: [Profile.Stack(frames: [0], values: [[1]])],
          facts: {
            var facts = Profile.Facts()
            (facts.blocks, facts.runs) = (1, 1)
            return facts
          }())
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let text = String(decoding: try encoder.encode([sound]), as: UTF8.self)
        for (name, text) in [("before", text), ("now", text.replacing(part, with: damage))] {
          try FileManager.default.createDirectory(
            atPath: folder + "/" + name, withIntermediateDirectories: true)
          try text.write(
            toFile: folder + "/\(name)/profile.json", atomically: true, encoding: .utf8)
        }
        let outcome = try await Executable.bench(
          "profile --allow-debug --diff before now --out out", in: folder)
        #expect(outcome.status == .exited(3))
        #expect(outcome.errors.contains(error), "\(outcome.errors)")
        let same = try await Executable.bench(
          "profile --allow-debug --diff before before --out out", in: folder)
        #expect(same.status == .exited(0), "\(same.errors)")
      }
    }

    @Test(
      "Another file in the place of profiles neither blocks nor is decoded",
      arguments: [
        ("mkfifo now/profile.json", "it is not a regular file"),
        ("mkdir now/profile.json", "it is a folder"),
        ("printf '[{' > now/profile.json", "it ends too soon and was cut short"),
        (
          "printf '[%.0s' $(seq 513) > now/profile.json",
          "it is nested too deeply at line 1, column 513"
        ),
        ("echo '[{}]' > now/profile.json", "[0].schema is missing"),
        ("echo '{}' > now/profile.json", "it is not a list"),
      ])
    func noProfiles(command: String, reason: String) async throws {
      try await inFolder { folder in
        let profile = "\(Executable.bench.path) profile --allow-debug --diff now now --out out"
        let outcome = try await Executable.shell("mkdir now; \(command); \(profile)", in: folder)
        #expect(outcome.status == .exited(3))
        #expect(
          outcome.errors.contains("error: now/profile.json holds no profiles: \(reason)\n"),
          "\(outcome.errors)")
      }
    }

    @Test("A stripped executable is profiled, with the number of functions without a name")
    func stripped() async throws {
      try await inFolder { folder in
        let copy = folder + "/bench"
        let strip = try await Subprocess.run(
          .name("strip"), arguments: ["-o", copy, Executable.bench.path], output: .discarded)
        #expect(strip.terminationStatus == .exited(0))
        let result = try await Subprocess.run(
          .path(FilePath(copy)),
          arguments: [
            "profile", "--allow-debug", "--menu", "small", "--phase", "decode", "--seconds", "1",
            "--out", folder + "/out",
          ],
          output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        #expect(result.terminationStatus == .exited(0), "\(result.standardError)")
        let profile = try profiles(in: folder, phase: "decode")
        let named = profile.named()
        #expect(try #require(named.own) < 0.5)
        #expect(try #require(named.all) > 0.1)
        let words = result.standardOutput.replacing(/\s+/, with: " ")
        #expect(words.contains("functions with a name: "), "\(words)")
        #expect(profile.frames.allSatisfy { !$0.name.isEmpty })
      }
    }

    @Test("An interruption ends it with the signal, and leaves nothing")
    func interrupted() async throws {
      try await inFolder { folder in
        let status = try await Executable.bench.run(
          "profile --allow-debug --menu small --seconds 600 --out out".split(separator: " ")
            .map(String.init), in: folder
        ) {
          let out = try? FileManager.default.contentsOfDirectory(atPath: folder + "/out")
          return out?.contains { $0.hasPrefix(".stores") } ?? false
        }
        #expect(status == .signaled(SIGINT))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/out").isEmpty)
      }
    }

    private func profile(_ arguments: String, in folder: String) async throws -> Executable.Outcome
    {
      let outcome = try await Executable.bench(
        "profile --allow-debug --menu small --out out " + arguments, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      return outcome
    }

    private func profiles(in folder: String, phase: String) throws -> Profile {
      let data = try Data(contentsOf: URL(filePath: folder + "/out/profile.json"))
      let all = try JSONDecoder().decode([Profile].self, from: data)
      return try #require(all.first { $0.phase == phase })
    }
  }
#endif
