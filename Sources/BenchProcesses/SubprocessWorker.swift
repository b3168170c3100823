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

/// Starts an executable: measures each block in a fresh process of one that serves ``WorkerProcess``.
package struct SubprocessWorker: Worker {
  package let executable: String
  package let arguments: [String]
  private let preparations: Preparations

  /// How many times as long as any other a worker under Callgrind may be silent.
  private static let patience = 20

  /// Will start this executable with these arguments for every block.
  ///
  /// - Parameter scratch: a folder for the copy of the executable by which Callgrind counts its
  ///   instructions, and for libraries with the names of their functions, made when they are first
  ///   needed and removed by whoever gives it; without it, blocks of that kind are unsupported where the
  ///   processor has no counter, and profiles have fewer names.
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
    // Whatever the processor can count: Callgrind alone says of which functions.
    let refusal = request.kind == .instructions ? Instructions.refusal : nil
    var lack: String?
    if what == .instructions || refusal != nil {
      do {
        launch = Callgrind.launch(try await preparations.strippedCopy, arguments, request)
        request.timeout = min(request.timeout, 1 << 24) * Self.patience
      } catch {
        guard let refusal else { return .failed(stage: nil, reason: "\(error)") }
        lack = "\(refusal); \(error)"
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
      hung: "it hung: nothing heard for \(request.timeout) s, so it was ended")
    guard let lack, case .measured(var series) = outcome else { return outcome }
    // The worker knows the phases, of which it says that they are unsupported.
    for index in series.indices where series[index].unsupported != nil {
      series[index].unsupported = lack
    }
    return .measured(series)
  }

  /// What counts hashes alike in every process, so that counts are equal. Only allocations are counted
  /// under jemalloc: all else is measured with the allocator that an app has.
  func launch(_ kind: BlockRequest.Kind) -> Launch {
    let counting =
      kind == .counted ? JemallocLibrary.variables(ProcessInfo.processInfo.environment) : [:]
    return Launch(
      executable: .path(FilePath(executable)), arguments: arguments,
      variables: [.timed, .profiled].contains(kind)
        ? [:] : counting.merging(["SWIFT_DETERMINISTIC_HASHING": "1"]) { $1 })
  }

  /// Asks the executable what it is, and for the fingerprints of some documents.
  ///
  /// - Parameters:
  ///   - documents: names as its own source understands them; what it cannot make is not in the answer.
  ///   - cells: those of which it is to say whether they make sense.
  ///   - kind: the kind of block for which it is started.
  ///   - limit: seconds that it may take, all documents included.
  /// - Throws: ``WorkerHelloError`` when it is not one that can be measured from here;
  ///   `CancellationError` when the task was cancelled meanwhile.
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
      // The system's word on the file itself is clearer than that on the process.
      let reason =
        access(executable, X_OK) != 0
        ? errnoMessage() : error.underlyingError.map { "\($0)" } ?? "\(error)"
      throw WorkerHelloError(executable, "cannot be started: \(reason)")
    }
    try Task.checkCancellation()
    guard let hello = await transcript.hello else {
      let lack = await transcript.lack(
        of: "what it is", at: end, hung: "no answer within \(limit) s, so it was ended")
      throw WorkerHelloError(executable, "is no bench: \(lack)")
    }
    let ours = BlockRequest.currentVersion
    guard hello.version == ours else {
      throw WorkerHelloError(
        executable,
        "speaks version \(hello.version) of the worker protocol, this program version \(ours)",
        help: hello.version < ours
          ? "compare with a newer revision of it" : "compare from the newer program")
    }
    return hello
  }
}

extension Machine {
  /// Finds out what counts allocations, for a run that wants them: in this process nothing does.
  ///
  /// - Parameter metrics: the metrics that are wanted; nil means all.
  package mutating func findCountingAllocator(
    of worker: SubprocessWorker, for metrics: Set<String>? = nil
  ) async {
    let ids = Probe.allocator.metrics.map(\.id)
    guard metrics?.isDisjoint(with: ids) != true else { return }
    do {
      // In a worker started as the counted ones are.
      let counting = try await worker.hello(documents: [], as: .counted).machine
      for id in ids { unsupported[id] = counting.unsupported[id] }
      if ids.allSatisfy({ unsupported[$0] == nil }) { countingAllocator = counting.allocator }
    } catch {
      for id in ids { unsupported[id] = "no worker to count by: \(systemReason(error))" }
    }
  }
}

/// How a worker's process is started.
struct Launch: Sendable {
  var executable: Executable
  var arguments: [String]
  /// What it sees of the environment besides the few variables that every worker gets.
  var variables: [String: String] = [:]

  /// A worker sees only what it needs: the environment's size moves a process's stack, and its
  /// variables reach into libraries. What the user put in the place of malloc is in there too; the
  /// run's record says so. No block spends its time on drawing a backtrace when it crashes.
  var environment: Subprocess.Environment {
    let passed = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    let own = ProcessInfo.processInfo.environment
    let all = own.filter { passed.contains($0.key) }
      .merging(Machine.inherited(from: own)) { $1 }
      // SQLite's statement journal is part of a save: it belongs on the drive that is measured.
      .merging(["SWIFT_BACKTRACE": "enable=no", "SQLITE_TMPDIR": "."]) { $1 }
      .merging(variables) { $1 }
    return .custom(
      Dictionary(
        uniqueKeysWithValues: all.map { (Subprocess.Environment.Key(stringLiteral: $0), $1) }))
  }

  /// Starts a process, gives it its input, and takes down what it says until its end.
  ///
  /// - Parameters:
  ///   - limit: seconds that it may be silent,
  ///   - start: or, where this is given, that it may take from then on, whatever it says.
  /// - Returns: how it ended; nil where it took longer, and was ended.
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
    // A group of its own: Ctrl-C on a terminal reaches the parent, which then ends its worker.
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

  /// What a worker is to read, as an open file without a name, to be read from its beginning. This is
  /// within the time of a cold start: system calls alone, so that it takes as long in every version.
  ///
  /// A pipe would end the parent by SIGPIPE where a process ends before it reads, and would arrive in
  /// pieces that differ from run to run.
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
        "no file can be made in the temporary folder \(folder): \(systemReason(error)); set TMPDIR to "
          + "a folder that is there")
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

/// What a worker said before it ended, and what that makes of its block.
actor Transcript {
  /// What the process is called.
  private let who: String
  private var stage: String?
  private(set) var hello: WorkerHello?
  private(set) var reply: ColdReply?
  private var answer: BlockOutcome?
  private var heard = ContinuousClock.now
  private var errors: [String] = []

  /// An empty one of a worker, or of whatever else the process is.
  init(of who: String = "its worker") { self.who = who }

  /// How long ago the worker gave a sign of life.
  var silence: Duration { heard.duration(to: .now) }

  /// Takes one line of standard output.
  func receive(_ line: String) {
    heard = .now
    // Whatever was started may say anything, and the decoder traps on some of it.
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

  /// Takes one line of standard error; the last few may explain a crash.
  func note(_ line: String) {
    let text = line.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !text.isEmpty else { return }
    errors.append(text)
    if errors.count > 5 { errors.removeFirst() }
  }

  /// What came of the block whose process ended so.
  ///
  /// - Parameter hung: the reason where it did not, and was ended.
  func outcome(
    of end: TerminationStatus?, memoryLimit: Int? = nil, hung: String
  ) -> BlockOutcome {
    if end == .exited(0), let answer { return answer }
    let said = errors.isEmpty ? "" : "; it said: " + errors.joined(separator: " / ")
    let reason =
      switch end {
      case nil: hung
      case .exited(0): "\(who) ended without a result" + said
      case .exited(let code): "\(who) exited with status \(code)" + said
      case .signaled(let signal): death(by: signal, memoryLimit) + said
      }
    return .failed(stage: stage, reason: reason)
  }

  /// Why a process that ended so did not say what it was asked for.
  func lack(of wanted: String, at end: TerminationStatus?, hung: String) -> String {
    if case .failed(_, let reason) = outcome(of: end, hung: hung) { return reason }
    return "\(who) said something else than \(wanted)"
  }

  private func death(by signal: Int32, _ memoryLimit: Int?) -> String {
    let name = String(cString: strsignal(signal))
    let crash = "\(who) crashed with signal \(signal) (\(name))"
    if let memoryLimit {
      return crash + "; it was limited to \(memoryLimit / 1_000_000) MB of memory"
    }
    return signal == SIGKILL ? crash + ", as it does when the machine is out of memory" : crash
  }
}

extension SubprocessOutputSequence {
  /// Lines that end at LF alone: a menu's name may hold what Unicode calls a line break.
  fileprivate var lines: some AsyncSequence<String, any Error> {
    strings(separatedBy: .unicodeScalarSequence(["\n"]), bufferingPolicy: .unbounded)
  }
}
