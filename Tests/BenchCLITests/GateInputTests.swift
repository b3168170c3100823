import Foundation
import Subprocess
import Testing

@Suite("bench gate says why it refuses what it cannot compare")
struct GateInputTests {
  private func refused(
    _ arguments: String, _ status: Int32, _ words: String, in folder: String
  ) async throws {
    let outcome = try await Executable.bench(arguments, in: folder)
    #expect(outcome.status == .exited(status), "\(outcome.errors)")
    #expect(outcome.errors.hasPrefix(words), "\(outcome.errors)")
    #expect(outcome.output.isEmpty)
  }

  @Test(
    "A command line that makes no sense has status 64",
    arguments: [
      (
        "",
        "error: nothing to compare with\nhelp: give --against HEAD for a git revision, "
          + "or --baseline NAME for a stored run\n"
      ),
      (
        "--against HEAD --baseline main",
        "error: --against and --baseline cannot be combined\nhelp: give one of them\n"
      ),
      ("--against HEAD --times", "error: --times is for --baseline"),
      (
        "--baseline main --product bench",
        "error: --product is for --against: a stored run is not built\n"
      ),
      (
        "--against HEAD --backend jsno",
        "error: unknown backend 'jsno'\nhelp: did you mean 'json'? backends: json, "
      ),
      (
        "--against HEAD --tier exat",
        "error: unknown tier 'exat'\nhelp: did you mean 'exact'? tiers: all, exact, time\n"
      ),
      (
        "--against HEAD --format tabel",
        "error: unknown format 'tabel'\nhelp: did you mean 'table'?"
      ),
      (
        "--against HEAD --metrics allocation",
        "error: unknown metric 'allocation'\nhelp: did you mean 'allocations'?"
      ),
      ("--against HEAD --inject nonsense", "error: 'nonsense' is not of the form "),
      ("--against HEAD --inject decode:slowdown=0%", "error: '0%' is not an amount of slowdown\n"),
      ("--against HEAD --inject decode:memory=1", "error: unknown cost 'memory'"),
      ("--against HEAD --budget 0", "error: --budget '0' is out of range\n"),
      ("--against HEAD --timeout 0", "error: --timeout '0' is out of range\n"),
      ("--against HEAD --save-baseline ../main", "error: '../main' is not a baseline name\n"),
      ("--against HEAD --tolerance allocations=x", "error: --tolerance allocations=x: "),
      (
        "--against HEAD --tier exact --tolerance wall=5%",
        "error: --tolerance wall=5%: 'wall' matches none of this run's rows\nhelp: "
      ),
      ("--against HEAD --limit json/write/wall=16", "error: --limit json/write/wall=16: '16' is "),
      (
        "--against HEAD --backend json,plist --inject jso/decode:allocations=1",
        "error: unknown backend 'jso'\nhelp: did you mean 'json'? backends: json, plist\n"
      ),
      (
        "--against HEAD --tier exact --metrics wall",
        "error: tier 'exact' has none of the metrics asked for\nhelp: exact: "
      ),
      (
        "--against HEAD --tier exact --inject decode:slowdown=5%",
        "error: --inject 'decode:slowdown=5%' slows down times, but none are measured\n"
      ),
    ])
  func usage(_ arguments: String, _ words: String) async throws {
    try await inFolder { folder in
      try await refused("\(Gate.any) \(arguments)", 64, words, in: folder)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test("A program that is not a bench is named as it was typed, with the reason")
  func noBench() async throws {
    try await inFolder { folder in
      try Gate.write(script: "echo hello", to: folder + "/chats")
      try Gate.write(script: "exit 7", to: folder + "/exits")
      try Data("hello\n".utf8).write(to: URL(fileURLWithPath: folder + "/text"))
      try FileManager.default.copyItem(atPath: folder + "/text", toPath: folder + "/runs")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: folder + "/runs")
      for (path, words) in [
        ("/bin/true", "/bin/true is not a bench: its worker ended without a result\n"),
        ("./chats", "\(folder)/chats is not a bench: "),
        ("./exits", "\(folder)/exits is not a bench: "),
        ("./runs", "\(folder)/runs cannot be started: Exec format error\n"),
        ("./text", "./text is a file that cannot be executed, and not a git revision: "),
        (".", ". is a folder, and not a git revision: "),
      ] {
        try await refused("\(Gate.exact) --against \(path)", 3, "error: \(words)", in: folder)
      }
    }
  }

  @Test("After a long silence, a terminal shows the present step, and a pipe does not")
  func signOfLife() async throws {
    try await inFolder { folder in
      try Gate.write(script: "sleep 3", to: folder + "/sleeps")
      let gate = "\(Gate.exact) --against ./sleeps"
      let error = "error: \(folder)/sleeps is not a bench: "
      let (status, screen) = try await Executable.bench.shown(gate, in: folder, columns: 80)
      #expect(status == .exited(3))
      #expect(screen.hasPrefix("preparing menus and programs\n\(error)"), "\(screen)")
      let piped = try await Executable.bench(gate, in: folder)
      #expect(piped.errors.hasPrefix(error), "\(piped.errors)")
    }
  }

  @Test("A worker of another version is refused with a reason, whether older or newer")
  func otherVersion() async throws {
    try await inFolder { folder in
      let reason = "the parent speaks version 6 of the worker protocol, this worker 1"
      try Gate.write(
        script: "echo '{\"failure\":{\"reason\":\"\(reason)\"}}'", to: folder + "/oldest")
      try await refused(
        "\(Gate.exact) --against ./oldest", 3,
        "error: \(folder)/oldest is not a bench: \(reason)\n", in: folder)
      for (name, version) in [("old", 2), ("new", 99)] {
        try Gate.write(
          Executable.bench, edited: "s/\"version\":[0-9]+/\"version\":\(version)/",
          to: "\(folder)/\(name)")
      }
      for (name, version, help) in [
        ("old", 2, "compare with a newer revision"), ("new", 99, "compare from the newer"),
      ] {
        try await refused(
          "\(Gate.exact) --against ./\(name)", 3,
          "error: \(folder)/\(name) speaks version \(version) of the worker protocol, but this "
            + "program needs 6\nhelp: \(help)", in: folder)
      }
    }
  }

  @Test("A menu that differs there is refused with both fingerprints")
  func otherMenu() async throws {
    try await inFolder { folder in
      try Gate.write(
        Executable.bench, edited: "s/(\"documents\":\\{\"[^\"]*\":)\"[0-9a-f]*\"/\\1\"feed\"/",
        to: folder + "/other")
      try await refused(
        "\(Gate.exact) --against ./other", 5,
        "error: the menu '\(Gate.menu)' differs between the programs: fingerprint ", in: folder)
    }
  }
}
