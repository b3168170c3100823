import BackendKit
import Basics
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// The worker's side of the exchange: one request on standard input, messages on standard output.
///
/// A backend that prints disturbs nothing: standard output is kept for messages, and whatever else
/// writes to it ends in standard error.
package struct WorkerProcess<Document: BenchDocument> {
  private let suite: Suite<Document>
  private let tool: Tool
  private let machine: () -> Machine
  private let messages: FileHandle
  private let cold: any ColdStarter

  /// Takes over standard output.
  ///
  /// - Parameters:
  ///   - machine: describes the machine, its libraries included, to a parent that asks.
  ///   - cold: what starts fresh processes for the workloads that want some.
  package init(
    _ suite: Suite<Document>, tool: Tool, machine: @escaping () -> Machine, cold: any ColdStarter
  ) {
    self.suite = suite
    self.tool = tool
    self.machine = machine
    self.cold = cold
    messages = .takingStandardOutput()
  }

  /// Reads a request and answers it: says what this is, or measures a block and reports; a failure is
  /// a message, not an error.
  package func serve(_ input: Data) {
    do {
      try messages.send(try answer(input))
    } catch {
      try? messages.send(.failure(reason: failureReason(error)))
    }
  }

  /// A parent of any version is told what this is: the answer names our own version.
  private func answer(_ input: Data) throws -> WorkerMessage {
    let about = try JSONDecoder().decode(Preamble.self, from: input)
    if let documents = about.hello { return .hello(hello(documents, about.cells ?? [])) }
    guard about.version == BlockRequest.currentVersion else {
      throw WorkloadFailure(
        "the parent speaks version \(about.version) of the worker protocol, this worker "
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

  /// Those of the cells that make no sense here.
  private func refused(_ cells: [AskedCell], _ documents: [String: Document]) -> [AskedCell] {
    // Planning the work on a large menu takes its time: once for all backends.
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
    let line = ParentLine(messages, silence: request.timeout)
    return try BlockTask.measure(
      request, in: suite, store: "./store", announce: line.announce,
      // A message allocates: where instructions are counted it must not depend on the time.
      beat: request.kind == .instructions ? line.again : line.beat, cold: cold
    ) {
      // Paths as long as the folder's would be allocated while counting: the same build would count
      // differently in another checkout. From within the folder every path is short.
      guard chdir(request.folder) == 0 else {
        throw StoreError(operation: "enter", path: request.folder, reason: errnoMessage())
      }
    }
  }
}

/// All that is read of a request before it is known to be understood.
private struct Preamble: Decodable {
  var version: Int
  var hello: [String]?
  var cells: [AskedCell]?
}

extension StoreContext {
  init(folder: String, durability: String) throws {
    guard let known = Durability(rawValue: durability) else {
      throw WorkloadFailure("this worker knows no durability \(durability)")
    }
    self.init(folder: folder, durability: known)
  }
}

/// The worker's line to its parent while it measures.
///
/// Every message also puts off the alarm that ends a worker whose parent is gone.
final class ParentLine {
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
      // Nobody listens any more.
      exit(1)
    }
  }

  /// Says that the worker is alive, whatever the time.
  func again() { announce(stage) }

  /// Says that the worker is alive, if it has said nothing for a second.
  func beat() {
    if clock.now() - last > 1_000_000_000 { again() }
  }
}

extension FileHandle {
  /// Standard output kept for messages: whatever else writes to it ends in standard error.
  ///
  /// It stays open until the process ends: whoever reads meets the end no sooner, and is there as long
  /// as ``Lifeline`` watches. Processes started from here do not have it.
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
