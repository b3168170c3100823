import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Measures each block in a fresh process of an executable that serves ``WorkerProcess``.
package struct SubprocessWorker: Worker {
  package let executable: String
  package let arguments: [String]
  private let preparations: Preparations

  /// How many times longer than others a worker under Callgrind may be silent.
  private static let timeLimit = 20

  /// Creates a worker that starts this executable with these arguments for every block.
  ///
  /// - Parameter scratch: a folder for a copy of the executable that Callgrind can run, and for libraries with
  ///   the names of their functions. They are made on first use, and the caller removes them. Without a folder,
  ///   profiles have fewer names, and instructions are unsupported if the processor cannot count them.
  package init(executable: String, arguments: [String], scratch: String? = nil) {
    self.executable = executable
    self.arguments = arguments
    preparations = Preparations(executable: executable, scratch: scratch)
  }

  /// Starts a process, sends the request, and waits for its end as long as it gives signs of life.
  package func measure(_ request: BlockRequest) async throws -> BlockOutcome {
    let what = request.profile?.what
    let own = ProcessInfo.processInfo.environment
    var (request, launch) = (request, launch(what == .allocations ? .counted : request.kind))
    if let turns = request.turns {
      launch.variables["MENUBENCH_PADDING"] = String(repeating: "x", count: turns.padding)
    }
    // A profile of instructions always needs Callgrind: processors do not count them by function.
    let refusal = request.kind == .instructions ? Instructions.refusal : nil
    var lack: String?
    if what == .instructions || refusal != nil {
      do {
        launch = Callgrind.launch(try await preparations.strippedCopy, arguments, request)
        request.timeout = min(request.timeout, 1 << 24) * Self.timeLimit
      } catch {
        guard let refusal else { return .failed(stage: nil, reason: "\(error)") }
        lack = "\(refusal), and \(error)"
      }
    }
    if what == .allocations {
      launch.variables.merge(JemallocLibrary.profilingVariables(own)) { $1 }
    }
    if what != nil, let folder = await preparations.namedLibraries {
      launch.variables["LD_LIBRARY_PATH"] =
        folder + (own["LD_LIBRARY_PATH"].map { ":" + $0 } ?? "")
    }
    let transcript = Transcript()
    let input = try JSONEncoder().encode(request)
    let end = try await launch.converse(input, into: transcript, limit: request.timeout)
    let outcome = await transcript.outcome(
      of: end, memoryLimit: request.memoryLimit,
      hung: "it hung: it sent nothing for \(request.timeout) s, so it was ended")
    guard let lack, case .measured(var series) = outcome else { return outcome }
    // Keeps the series of the worker, which knows the phases, but replaces its reason.
    for index in series.indices where series[index].unsupported != nil {
      series[index].unsupported = lack
    }
    return .measured(series)
  }

  /// Returns how to start a worker. Blocks that count use deterministic hashing, so that counts are
  /// equal. Only blocks of allocations use jemalloc. All others use the allocator of an app.
  func launch(_ kind: BlockRequest.Kind) -> Launch {
    let counting =
      kind == .counted ? JemallocLibrary.variables(ProcessInfo.processInfo.environment) : [:]
    return Launch(
      executable: .path(FilePath(executable)), arguments: arguments,
      variables: [.timed, .profiled].contains(kind)
        ? [:] : counting.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 })
  }

  /// Asks the executable for its description, and for the fingerprints of some documents.
  ///
  /// - Parameters:
  ///   - documents: names in its own source. The answer lacks those that it cannot make.
  ///   - cells: the cells for which it checks whether they make sense.
  ///   - kind: the kind of block that it is started for.
  ///   - limit: seconds that it may take, including all documents.
  /// - Throws: ``WorkerHelloError`` if it cannot be measured by this program; `CancellationError`
  ///   if the task was cancelled meanwhile.
  package func hello(
    documents: [String], cells: [AskedCell] = [], as kind: BlockRequest.Kind = .timed,
    limit: Int = 30
  ) async throws -> WorkerHello {
    let transcript = Transcript()
    let input = try JSONEncoder().encode(HelloRequest(hello: documents, cells: cells))
    let end: TerminationStatus?
    do {
      end = try await launch(kind).converse(input, into: transcript, limit: limit, since: .now)
    } catch let error as SubprocessError {
      // The system's error for the file itself is clearer than that for the process.
      let reason =
        access(executable, X_OK) != 0
        ? errnoMessage() : error.underlyingError.map { "\($0)" } ?? "\(error)"
      throw WorkerHelloError(executable, "cannot be started: \(reason)")
    }
    try Task.checkCancellation()
    guard let hello = await transcript.hello else {
      let lack = await transcript.lack(
        of: "its version", at: end, hung: "no answer within \(limit) s, so it was ended")
      throw WorkerHelloError(executable, "is not a bench: \(lack)")
    }
    let ours = BlockRequest.currentVersion
    guard hello.version == ours else {
      throw WorkerHelloError(
        executable,
        "speaks version \(hello.version) of the worker protocol, but this program needs \(ours)",
        help: hello.version < ours
          ? "compare with a newer revision" : "compare from the newer program")
    }
    return hello
  }
}

extension Machine {
  /// Finds out what counts allocations, for a run that needs them. This process cannot count them.
  ///
  /// - Parameter metrics: the metrics to measure, or nil for all.
  package mutating func findCountingAllocator(
    of worker: SubprocessWorker, for metrics: Set<String>? = nil
  ) async {
    let ids = Probe.allocator.metrics.map(\.id)
    guard metrics?.isDisjoint(with: ids) != true else { return }
    do {
      // Asks a worker that is started like those that count.
      let counting = try await worker.hello(documents: [], as: .counted).machine
      for id in ids { unsupported[id] = counting.unsupported[id] }
      if ids.allSatisfy({ unsupported[$0] == nil }) { countingAllocator = counting.allocator }
    } catch {
      for id in ids { unsupported[id] = "no worker can count it: \(systemReason(error))" }
    }
  }
}

/// How to start a worker's process.
struct Launch: Sendable {
  var executable: Executable
  var arguments: [String]
  /// Environment variables in addition to those that every worker gets.
  var variables: [String: String] = [:]

  /// The environment of the worker, with only the variables it needs: the size of the environment
  /// moves the stack, and variables affect libraries. A replacement of malloc by the user is kept
  /// and is in the record. Backtraces are disabled, so that a crashing block takes no time for one.
  var environment: Subprocess.Environment {
    let passed = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    let own = ProcessInfo.processInfo.environment
    let all = own.filter { passed.contains($0.key) }
      .merging(Machine.inherited(from: own)) { $1 }
      // SQLite's statement journal is part of a save, so it must be on the measured drive.
      .merging(["SWIFT_BACKTRACE": "enable=no", "SQLITE_TMPDIR": "."]) { $1 }
      .merging(variables) { $1 }
    return .custom(
      Dictionary(
        uniqueKeysWithValues: all.map { (Subprocess.Environment.Key(stringLiteral: $0), $1) }))
  }

  /// Starts a process, sends its input, and records what it writes until it ends.
  ///
  /// - Parameters:
  ///   - limit: seconds that it may be silent.
  ///   - start: if given, the limit is the total time from then on, even if it is not silent.
  /// - Returns: how it ended, or nil if it exceeded the limit and was ended.
  func converse(
    _ input: Data, into transcript: Transcript, limit: Int,
    since start: ContinuousClock.Instant? = nil
  ) async throws -> TerminationStatus? {
    try await withThrowingTaskGroup(of: TerminationStatus?.self) { group in
      group.addTask { try await converse(input, into: transcript) }
      group.addTask {
        while true {
          let idle =
            if let start { start.duration(to: .now) } else { await transcript.silence }
          let rest = Duration.seconds(limit) - idle
          guard rest > .zero else { return nil }
          try await Task.sleep(for: rest)
        }
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
  }

  private func converse(
    _ input: Data, into transcript: Transcript
  ) async throws -> TerminationStatus {
    let request = try Self.requestFile(input)
    var options = PlatformOptions()
    // A separate process group: Ctrl-C in a terminal only reaches the parent, which then ends its worker.
    options.processGroupID = 0
    return try await Subprocess.run(
      executable, arguments: Arguments(arguments), environment: environment,
      platformOptions: options,
      input: .fileDescriptor(request, closeAfterSpawningProcess: true), output: .sequence,
      error: .sequence
    ) { execution in
      async let errors: Void = {
        for try await line in execution.standardError.lines {
          await transcript.note(line)
        }
      }()
      for try await line in execution.standardOutput.lines {
        await transcript.receive(line)
      }
      try await errors
    }.terminationStatus
  }

  /// Opens an unnamed file with a worker's input, positioned at its start. The time of a cold start
  /// includes this, so it only makes system calls, which take the same time in every version.
  ///
  /// With a pipe, a process that ends before it reads would end the parent by SIGPIPE. A pipe would
  /// also deliver pieces that differ from run to run.
  private static func requestFile(_ bytes: Data) throws -> FileDescriptor {
    let folder = NSTemporaryDirectory()
    let path = FilePath(folder).appending("request-\(UUID())")
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch {
      throw WorkloadFailure(
        "cannot make a file in the temporary folder \(folder): \(systemReason(error)). "
          + "Set TMPDIR to an existing folder")
    }
    unlink(path.string)
    do {
      _ = try bytes.withUnsafeBytes { try file.writeAll($0) }
      try file.seek(offset: 0, from: .start)
      return file
    } catch {
      try? file.close()
      throw error
    }
  }
}

/// The messages of a worker until it ended, and the outcome of its block.
actor Transcript {
  /// The name of the process in messages.
  private let who: String
  private var stage: String?
  private(set) var hello: WorkerHello?
  private(set) var reply: ColdReply?
  private var answer: BlockOutcome?
  private var heard = ContinuousClock.now
  private var errors: [String] = []

  /// Makes an empty transcript of a worker, or of another process.
  init(of who: String = "its worker") { self.who = who }

  /// The time since the worker's last sign of life.
  var silence: Duration { heard.duration(to: .now) }

  /// Receives a line of standard output.
  func receive(_ line: String) {
    heard = .now
    // The process may write anything, and the decoder traps on some inputs.
    guard RunFile.fault(of: [UInt8](line.utf8)) == nil,
      let message = try? JSONDecoder().decode(WorkerMessage.self, from: Data(line.utf8))
    else { return note(line) }
    switch message {
    case .hello(let said): hello = said
    case .found(let said): reply = said
    case .stage(let name): stage = name
    case .result(let series): answer = .measured(series)
    case .failure(let reason): answer = .failed(stage: stage, reason: reason)
    }
  }

  /// Receives a line of standard error. The last five may explain a crash.
  func note(_ line: String) {
    let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return }
    errors.append(text)
    if errors.count > 5 { errors.removeFirst() }
  }

  /// Returns the outcome of the block from how its process ended.
  ///
  /// - Parameter hung: the reason to give if the process did not end by itself.
  func outcome(
    of end: TerminationStatus?, memoryLimit: Int? = nil, hung: String
  ) -> BlockOutcome {
    if end == .exited(0), let answer { return answer }
    let said = errors.isEmpty ? "" : ", and it printed: " + errors.joined(separator: " / ")
    let reason =
      switch end {
      case nil: hung
      case .exited(0): "\(who) ended without a result" + said
      case .exited(let code): "\(who) exited with status \(code)" + said
      case .signaled(let signal): death(by: signal, memoryLimit) + said
      }
    return .failed(stage: stage, reason: reason)
  }

  /// Describes why a process that ended like this did not send what was wanted.
  func lack(of wanted: String, at end: TerminationStatus?, hung: String) -> String {
    if case .failed(_, let reason) = outcome(of: end, hung: hung) { return reason }
    return "\(who) answered, but not with \(wanted)"
  }

  private func death(by signal: Int32, _ memoryLimit: Int?) -> String {
    let name = String(cString: strsignal(signal))
    let crash = "\(who) crashed with signal \(signal) (\(name))"
    if let memoryLimit {
      return crash + ", with a limit of \(memoryLimit / 1_000_000) MB of memory"
    }
    return signal == SIGKILL ? crash + ", as happens when the machine is out of memory" : crash
  }
}

extension SubprocessOutputSequence {
  /// The lines, separated by LF only. A menu's name may contain other line breaks of Unicode.
  fileprivate var lines: some AsyncSequence<String, any Error> {
    strings(separatedBy: .unicodeScalarSequence(["\n"]), bufferingPolicy: .unbounded)
  }
}
