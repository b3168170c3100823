import BenchEngine
import BenchProbes
import BenchProcesses
import BenchResults
import Foundation
import MenuModel
import MenuSources
import MenuWorkloads
import PersistenceBackends
import TestSupport
import Testing

@Suite("A worker's hello")
struct HelloTests {
  private func hello(_ executable: String, _ arguments: [String] = ["worker"]) async throws
    -> WorkerHello
  {
    try await SubprocessWorker(executable: executable, arguments: arguments)
      .hello(documents: ["small", "no such menu"], limit: 900)
  }

  /// The error of an executable that runs a line of shell, or nil.
  private func found(_ script: String, limit: Int = 900) async throws -> WorkerHelloError? {
    let worker = SubprocessWorker(executable: "/bin/sh", arguments: ["-c", script])
    do {
      _ = try await worker.hello(documents: [], limit: limit)
      return nil
    } catch let error as WorkerHelloError {
      return error
    }
  }

  @Test("has its name, its contents, and the fingerprints of the documents that it knows")
  func bench() async throws {
    let hello = try await hello(Products.bench)
    #expect(hello.version == 6)
    #expect(hello.tool.name == "MenuBench")
    #expect(hello.tool.revision == nil)
    #expect(hello.machine.build == Build.configuration)
    #expect(hello.machine.sqlite == SQLiteLibrary.version)
    let named = BackendRegistry.all.map(\.id)
    #expect(Array(hello.backends.prefix(named.count)) == named)
    #expect(hello.backends.dropFirst(named.count).first == "json@lmdb")
    #expect(hello.workloads == WorkloadRegistry.all.map(\.name))
    #expect(
      hello.documents == ["small": Menu(shape: MenuShape(.small)).fingerprint.description])
  }

  @Test(
    "names the requested cells that make no sense to it, and ignores cells that it does not have")
  func refused() async throws {
    let cells = [
      ("json", "first-menu"), ("memory", "first-menu"), ("none", "first-menu"), ("json", "none"),
    ]
    .map { AskedCell(planned($0, $1, "small")) }
    let worker = SubprocessWorker(executable: Products.bench, arguments: ["worker"])
    let hello = try await worker.hello(documents: ["small"], cells: cells, limit: 900)
    #expect(hello.refused == [AskedCell(planned("memory", "first-menu", "small"))])
  }

  private func planned(_ backend: String, _ workload: String, _ menu: String) -> PlannedCell {
    let cell = Cell(backend: backend, menu: menu, workload: workload, durability: "atomic")
    return PlannedCell(cell: cell, documentName: menu, fingerprint: "")
  }

  @Test("is refused for an executable that is not a bench, with its output or the system's reason")
  func others() async throws {
    typealias Check = (WorkerHelloError) -> Bool
    func none(_ executable: String, _ said: @escaping (String) -> Bool) -> Check {
      { error in
        let words = error.message.trimmingPrefix("\(executable) is not a bench: ")
        return words != error.message && said(String(words))
      }
    }
    let cases: [(String, [String], Check)] = [
      ("/bin/true", ["worker"], none("/bin/true") { $0 == "its worker ended without a result" }),
      (
        "/bin/cat", ["worker"],
        none("/bin/cat") {
          $0.hasPrefix("its worker exited with status 1, and it printed: ") && $0.contains("worker")
        }
      ),
      // It echoes the question.
      ("/bin/cat", [], none("/bin/cat") { $0.contains("\"hello\"") }),
      (
        "/no/such/bench", ["worker"],
        { $0.message == "/no/such/bench cannot be started: No such file or directory" }
      ),
      (
        "/usr", ["worker"],
        { $0.message.contains(/^\/usr cannot be started: ./) }
      ),
    ]
    for (executable, arguments, isRight) in cases {
      let error = await #expect(throws: WorkerHelloError.self) {
        try await hello(executable, arguments)
      }
      #expect(error.map(isRight) == true, "\(executable): \(error?.message ?? "")")
    }
  }

  @Test("fails for a file that is not a program, with the system's reason")
  func notExecutable() async throws {
    try await inFolder { folder in
      let file = folder + "/bench"
      try Data("hello".utf8).write(to: URL(fileURLWithPath: file))
      let error = WorkerHelloError(file, "cannot be started: Permission denied")
      await #expect(throws: error) { try await hello(file) }
    }
  }

  @Test("is refused for a newer worker, by its version")
  func newer() async throws {
    let answer =
      #"{"hello":{"_0":{"version":7,"tool":{"name":"MenuBench","version":"9"},"machine":{"build":"#
      + #""release","unsupported":{}},"backends":[],"workloads":[],"documents":{}}}}"#
    let error = try await found("cat > /dev/null; echo '\(answer)'")
    #expect(error?.fault == "speaks version 7 of the worker protocol, but this program needs 6")
    #expect(error?.help == "compare from the newer program")
  }

  @Test("is refused if the output is broken JSON, on which the decoder would trap")
  func brackets() async throws {
    let brackets = String(repeating: "[", count: 513)
    #expect(
      try await found("cat > /dev/null; echo '\(brackets)'")
        == WorkerHelloError(
          "/bin/sh",
          "is not a bench: its worker ended without a result, and it printed: \(brackets)"))
  }

  @Test(
    "ends with its time limit if it does not come or never ends",
    arguments: ["exec sleep 600", "while :; do echo talk; sleep 0.1; done"])
  func late(script: String) async throws {
    #expect(
      try await found(script, limit: 1)
        == WorkerHelloError("/bin/sh", "is not a bench: no answer within 1 s, so it was ended"))
  }
}
