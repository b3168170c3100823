import Foundation
import PersistenceBackends
import Subprocess
import Testing

/// As an error lists them.
private let backends = BackendRegistry.all.map(\.id).joined(separator: ", ")

private let codecs = BackendRegistry.codecs.map(\.id).joined(separator: ", ")
private let places = BackendRegistry.places.map(\.id).joined(separator: ", ")

@Suite("Bad input gets a clear message and the right exit status")
struct BadInputTests {
  @Test(
    "An unknown name is refused with the nearest valid name and the list",
    arguments: [
      (
        "--backend jsno", "unknown backend 'jsno'",
        "did you mean 'json'? backends: \(backends)"
      ),
      (
        "--backend grdb", "unknown backend 'grdb'",
        "did you mean 'sqlite-grdb'? backends: \(backends)"
      ),
      (
        "--backend core-data", "unknown backend 'core-data'",
        "backends: \(backends), or CODEC@PLACE (see bench list), or your own (see bench init)\n"
      ),
      (
        "--menu small:varants=3", "unknown key 'varants' in the shape of a menu",
        "did you mean 'variants'? keys: seed, "
      ),
      (
        "--menu small:slots=3", "small has its own 'slots', which cannot be changed",
        "give all counts instead: products=100,combos=10,slots=4,options=20\n"
      ),
      ("--menu cafe.jsn", "there is no file 'cafe.jsn'", "menus: small, medium, large, huge, "),
      (
        "--backend json,", "an empty backend name",
        "backends: \(backends)"
      ),
      (
        "--backend all,json", "'all' cannot be combined with json",
        "give 'all' alone, or only the names that you mean"
      ),
      (
        "--metrics all,wall", "'all' cannot be combined with wall",
        "give 'all' alone, or only the names that you mean"
      ),
      (
        "--workload dual-write:with=nosuch", "unknown backend 'nosuch'", "backends: \(backends)"
      ),
      (
        "--backend protobf@lmdb", "unknown codec 'protobf'",
        "did you mean 'protobuf'? codecs: \(codecs)"
      ),
      (
        "--backend protobuf@lmbd", "unknown place 'lmbd'",
        "did you mean 'lmdb'? places: \(places)"
      ),
      (
        "--backend sqlite@file",
        "'sqlite' is not a codec: it is a complete backend, which keeps no bytes of a codec",
        "codecs: \(codecs)"
      ),
      (
        "--backend json@sqlite-blob",
        "'sqlite-blob' is not a place for bytes: it already means json@sqlite-row",
        "places: \(places)"
      ),
      ("--backend json:level=3", "'json' has no settings", "give its id alone"),
      (
        "--backend sqlite:mmap_size=-1", "'mmap_size=-1' is not a setting of sqlite",
        "sqlite:mmap_size=…, the most bytes of the database that are mapped rather than read"
      ),
      (
        "--backend sqlit:mmap_size=1", "unknown backend 'sqlit'", "did you mean 'sqlite'?"
      ),
      (
        "--backend json@", "'json@' is not one codec at one place",
        "give CODEC@PLACE. codecs: \(codecs); places: \(places)"
      ),
      (
        "--backend json@file@lmdb", "'json@file@lmdb' is not one codec at one place",
        "give CODEC@PLACE. codecs: \(codecs); places: \(places)"
      ),
      ("--workload roundtrp", "unknown workload 'roundtrp'", "did you mean 'roundtrip'?"),
      ("--format tabel", "unknown format 'tabel'", "did you mean 'table'?"),
      ("--metrics allocation", "unknown metric 'allocation'", "did you mean 'allocations'?"),
      ("--durability atomc", "unknown durability 'atomc'", "did you mean 'atomic'?"),
      ("--menu lrage", "unknown menu 'lrage'", "did you mean 'large'?"),
      ("--blocks -5", "--blocks '-5' is out of range", "give a number from 1 to 10000\n"),
      (
        "--menu -",
        "every block's process reads the menu, but standard input can be read only once",
        "save it first: bench import - --out menu.json, then --menu menu.json\n"
      ),
    ])
  func unknownName(_ arguments: String, _ message: String, _ help: String) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("run --allow-debug \(arguments)", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.hasPrefix("error: \(message)\nhelp: \(help)"))
      #expect(outcome.output.isEmpty)
    }
  }

  @Test(
    "A number that makes no sense is refused with the valid ones",
    arguments: [
      "--blocks 0", "--blocks=-1", "--blocks 99999999", "--budget 0", "--budget nan",
      "--precision 2", "--timeout 0", "--memory-limit 1", "--blocks 99999999999999999999",
      "--budget 0x10",
      "--menu products=0,combos=1,slots=1,options=1",
      "--menu products=99999999999999999999,combos=1,slots=1,options=1",
    ])
  func absurdNumber(_ arguments: String) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("run --allow-debug \(arguments)", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.hasPrefix("error: "))
    }
  }

  @Test("Help that cannot be written is an error")
  func lostHelp() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        "\(Executable.bench.path) --help > /dev/full", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.hasPrefix("error: standard output could not be written: "))
    }
  }

  @Test(
    "A stored run with impossible values is refused",
    arguments: [
      ("[[-5]]", "", "holds -5"), ("[[5]]", "TWICE", "occurs twice"),
    ])
  func impossibleRun(_ blocks: String, _ twice: String, _ words: String) async throws {
    let series = """
      {"backend":"json","menu":"small","workload":"roundtrip","durability":"atomic",\
      "phase":"encode","metric":"wall","unit":"ns","better":"lower","exact":false,\
      "blocks":\(blocks)}
      """
    let cells = twice.isEmpty ? series : series + "," + series
    let run = """
      {"schema":1,"tool":{"name":"x","version":"1"},"machine":{"build":"release","unsupported":{}},\
      "settings":{"started":"","targetPrecision":0.1,"scheduleSeed":1,"storage":"."},\
      "menus":[],"cells":[\(cells)],"failures":[]}
      """
    try await inFolder { folder in
      try Data(run.utf8).write(to: URL(fileURLWithPath: folder + "/run.json"))
      let outcome = try await Executable.bench("report run.json", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test("A file that cannot be written is named before anything is measured")
  func exportPlace() async throws {
    try await inFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/loop", withDestinationPath: "loop")
      for (path, reason) in [
        ("/no/such/a.csv", "No such file or directory"), ("/dev/null/a.csv", "Not a directory"),
        (".", "Is a directory"), ("loop", "Too many levels of symbolic links"),
      ] {
        let outcome = try await Executable.bench(
          "run --allow-debug --menu small --export csv=\(path)", in: folder)
        #expect(outcome.status == .exited(1))
        #expect(
          outcome.errors == """
            error: \(path) cannot be written: \(reason)
            help: choose another place with --export

            """)
      }
    }
  }

  @Test("Too little address space is an error, not a crash")
  func addressSpace() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        "ulimit -v 200000; \(Executable.bench.path) run --allow-debug --menu small", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(
        outcome.errors == """
          error: only 205 MB of address space may be used, and bench needs up to 1.00 GB
          help: raise the limit: ulimit -v unlimited. --memory-limit limits the workers

          """)
    }
  }

  #if os(Linux)
    @Test("Too few threads are an error, not a run that waits forever")
    func threads() async throws {
      try await inFolder { folder in
        // The address space has room for 20 stacks.
        let outcome = try await Executable.shell(
          "ulimit -s 100000; ulimit -v 2000000;"
            + " \(Executable.bench.path) run --allow-debug --menu small", in: folder)
        #expect(outcome.status == .exited(1))
        #expect(outcome.errors.hasPrefix("error: only "))
        #expect(
          outcome.errors.hasSuffix(
            " threads can be started at once, and measuring needs 24\n"
              + "help: raise the limit: ulimit -u 1024, or end other programs\n"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      }
    }
  #endif

  @Test(
    "An error of the system has the system's own words",
    arguments: [
      (
        "run --allow-debug --menu small --blocks 1 --out loop", "the folder loop cannot be made: ",
        "choose another with --out\n"
      ),
      (
        "profile --allow-debug --menu small --out loop", "the folder loop cannot be made: ",
        "choose another with --out\n"
      ),
      (
        "run --allow-debug --menu small --blocks 1 --no-files --storage loop",
        "cannot make a folder for the stores in loop: ", "choose another with --storage\n"
      ),
      ("run --allow-debug --menu ./loop", #"menu file "./loop": "#, ""),
      ("report loop", "loop cannot be read: ", "give the run.json"),
      ("generate --menu small --out loop", "loop cannot be written: ", "choose another place"),
    ])
  func loops(_ arguments: String, _ words: String, _ help: String) async throws {
    try await inFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/loop", withDestinationPath: "loop")
      let outcome = try await Executable.bench(arguments, in: folder)
      #expect(outcome.status == .exited(1))
      #expect(
        outcome.errors.hasPrefix("error: \(words)Too many levels of symbolic links"),
        "\(outcome.errors)")
      #expect(help.isEmpty || outcome.errors.contains("\nhelp: \(help)"), "\(outcome.errors)")
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/loop")
      #expect(target == "loop")
    }
  }

  @Test(
    "A menu file that cannot be used is refused by name",
    arguments: [
      ("", "is empty"),
      ("{\"format\":\"menubench.menu\",\"schema\":1,\"menu\":{\"id\":", "it ends too soon "),
      ("this is no JSON", "is not JSON"),
      ("{\"format\":\"menubench.menu\",\"schema\":99,\"menu\":{}}", "schema 99"),
      ("{\"items\":[]}", "items"),
      (String(repeating: "[", count: 10_000), "it is nested too deeply at line 1, column 513"),
    ])
  func brokenMenuFile(_ content: String, _ words: String) async throws {
    try await inFolder { folder in
      try Data(content.utf8).write(to: URL(fileURLWithPath: folder + "/menu.json"))
      let outcome = try await Executable.bench("run --allow-debug --menu menu.json", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.hasPrefix("error: menu file \"menu.json\": "), "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
  }

  @Test("A missing menu file is named, and one of 200 MB is refused without being read")
  func unreadableMenuFiles() async throws {
    try await inFolder { folder in
      let path = folder + "/menu.json"
      _ = FileManager.default.createFile(atPath: path, contents: nil)
      truncate(path, 200_000_000)
      for (file, words) in [
        ("no/menu.json", "No such file or directory"),
        ("menu.json", "it has more bytes than the limit of 100000000"),
      ] {
        let outcome = try await Executable.bench("run --allow-debug --menu \(file)", in: folder)
        #expect(outcome.status == .exited(1))
        #expect(
          outcome.errors.hasPrefix("error: menu file \"\(file)\": \(words)\n"),
          "\(outcome.errors)")
      }
    }
  }

  @Test("A reference to a missing thing is named by its path")
  func danglingReferences() async throws {
    try await inFolder { folder in
      _ = try await Executable.bench("generate --menu small --out menu.json", in: folder)
      let path = folder + "/menu.json"
      let menu = try String(contentsOfFile: path, encoding: .utf8)
      let broken = menu.replacing(
        /"categoryID":[0-9]+,/, with: "\"categoryID\":912,", maxReplacements: 1)
      try broken.write(toFile: path, atomically: true, encoding: .utf8)
      let outcome = try await Executable.bench("run --allow-debug --menu menu.json", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.contains("products[0]"))
      #expect(outcome.errors.contains("category 912 does not exist"))
    }
  }

  @Test(
    "Durability against a power cut cannot be measured in memory",
    .enabled(
      if: FileManager.default.fileExists(atPath: "/dev/shm"),
      "skipped: this system has no /dev/shm"))
  func durableInMemory() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "run --allow-debug --menu small --durability durable --storage /dev/shm", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.contains("tmpfs is in memory"))
      #expect(outcome.errors.contains("--storage"))
    }
  }
}
