import BackendKit
import Basics
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// The worker's side of the protocol: one request on standard input, messages on standard output.
///
/// A backend may print. Standard output is reserved for messages, and all other output is
/// redirected to standard error.
package struct WorkerProcess<Document: BenchDocument> {
  private let suite: Suite<Document>
  private let tool: Tool
  private let machine: () -> Machine
  private let messages: FileHandle
  private let cold: any ColdStarter

  /// Takes over standard output. The process ends with its parent from now on.
  ///
  /// - Parameters:
  ///   - machine: describes the machine and its libraries to a parent that asks.
  ///   - cold: starts fresh processes for workloads that need them.
  package init(
    _ suite: Suite<Document>, tool: Tool, machine: @escaping () -> Machine, cold: any ColdStarter
  ) {
    self.suite = suite
    self.tool = tool
    self.machine = machine
    self.cold = cold
    messages = .takingStandardOutput()
    ParentProcess.endWithIt()
  }

  /// Reads a request and answers it with a description of this worker or with a measured block. A
  /// failure is sent as a message.
  package func serve(_ input: Data) {
    do {
      try messages.send(try answer(input))
    } catch {
      try? messages.send(.failure(reason: failureReason(error)))
    }
  }

  /// Answers a hello from parents of any version. The answer contains our own version.
  private func answer(_ input: Data) throws -> WorkerMessage {
    let about = try JSONDecoder().decode(Preamble.self, from: input)
    if let documents = about.hello { return .hello(hello(documents, about.cells ?? [])) }
    guard about.version == BlockRequest.currentVersion else {
      throw WorkloadFailure(
        "the parent speaks version \(about.version) of the worker protocol, but this worker needs "
          + "\(BlockRequest.currentVersion): build both from one revision")
    }
    return .result(try measure(try JSONDecoder().decode(BlockRequest.self, from: input)))
  }

  private func hello(_ names: [String], _ cells: [AskedCell]) -> WorkerHello {
    var documents: [String: Document] = [:]
    for name in names { documents[name] = try? suite.source.load(name).document }
    return WorkerHello(
      version: BlockRequest.currentVersion, tool: tool, machine: machine(),
      backends: suite.allBackends.map(\.id), workloads: suite.workloads.map(\.name),
      documents: documents.mapValues(\.fingerprint.description),
      refused: refused(cells, documents))
  }

  /// Returns the cells that make no sense here.
  private func refused(_ cells: [AskedCell], _ documents: [String: Document]) -> [AskedCell] {
    // Planning work on a large menu is slow, so it is done once for all backends.
    cells.grouped { [$0.workload, $0.document] }.flatMap { group -> [AskedCell] in
      let first = group.elements[0]
      guard let document = documents[first.document],
        let workload = try? suite.workload(first.workload)
      else { return [] }
      if workload.refusal(of: document) != nil { return group.elements }
      return group.elements.filter { cell in
        (try? suite.backend(cell.backend)).flatMap { workload.refusal(of: $0) } != nil
      }
    }
  }

  private func measure(_ request: BlockRequest) throws -> [Series] {
    if let limit = request.memoryLimit, let problem = MemoryLimit.apply(bytes: limit) {
      throw WorkloadFailure(problem)
    }
    let line = ParentConnection(messages, silence: request.timeout)
    return try BlockTask.measure(
      request, in: suite, store: "./store", announce: line.announce,
      // Messages allocate. While instructions are counted, sending them must not depend on the time.
      heartbeat: request.kind == .instructions ? line.again : line.heartbeat, cold: cold
    ) {
      // Long paths would be allocated while counting, so the same build would count differently in
      // another checkout. Inside the folder every path is short.
      guard chdir(request.folder) == 0 else {
        throw StoreError(operation: "enter", path: request.folder, reason: errnoMessage())
      }
    }
  }
}

/// The part of a request that is read before its version is known.
private struct Preamble: Decodable {
  var version: Int
  var hello: [String]?
  var cells: [AskedCell]?
}

extension StoreContext {
  init(folder: String, durability: String) throws {
    guard let known = Durability(rawValue: durability) else {
      throw WorkloadFailure("this worker does not know the durability '\(durability)'")
    }
    self.init(folder: folder, durability: known)
  }
}

/// The worker's line to its parent during a block.
///
/// Every message also postpones the alarm that ends a worker whose parent is gone.
final class ParentConnection {
  private let messages: FileHandle
  private let silence: Int
  private let clock = MonotonicClock()
  private var stage = ""
  private var last: UInt64 = 0

  init(_ messages: FileHandle, silence: Int) {
    self.messages = messages
    self.silence = silence
  }

  func announce(_ stage: String) {
    self.stage = stage
    last = clock.now()
    alarm(UInt32(min(max(silence, 1), 1 << 30)) + 5)
    do {
      try messages.send(.stage(stage))
    } catch {
      // The parent is gone.
      exit(1)
    }
  }

  /// Signals that the worker is alive.
  func again() { announce(stage) }

  /// Signals that the worker is alive, after a second without a message.
  func heartbeat() {
    if clock.now() - last > 1_000_000_000 { again() }
  }
}

extension FileHandle {
  /// Reserves standard output for messages and redirects all other output to standard error.
  ///
  /// The descriptor stays open until the process ends. The reader therefore sees the end of the
  /// stream only then, and ``ParentWatch`` can watch it. Child processes do not inherit it.
  static func takingStandardOutput() -> FileHandle {
    let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
    let messages = FileHandle(fileDescriptor: own, closeOnDealloc: false)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    return messages
  }

  func send(_ message: WorkerMessage) throws {
    try write(contentsOf: JSONEncoder().encode(message) + Data("\n".utf8))
  }
}
