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
  private let callgrind: Callgrind
  private let libraries: NamedLibraries

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
    callgrind = Callgrind(executable: executable, arguments: arguments, scratch: scratch)
    libraries = NamedLibraries(scratch: scratch)
  }

  /// Starts a process, sends the request, and waits for its end as long as it gives signs of life.
  package func measure(_ request: BlockRequest) async throws -> BlockOutcome {
    if let what = request.profile?.what { return try await profile(what, request) }
    guard request.kind == .instructions, let refusal = Instructions.refusal else {
      var launch = launch(request.kind)
      if let turns = request.turns {
        launch.variables["MENUBENCH_PADDING"] = String(repeating: "x", count: turns.padding)
      }
      return try await measure(request, by: launch)
    }
    switch await callgrind.launch(request) {
    case .success(let launch):
      var request = request
      request.timeout = min(request.timeout, 1 << 24) * Self.patience
      return try await measure(request, by: launch)
    case .failure(let lack):
      // The worker knows the phases, for which it will say that they are unsupported.
      return try await measure(request, by: launch(request.kind))
        .unsupported("\(refusal); \(lack.reason)")
    }
  }

  private func profile(
    _ what: Profile.What, _ request: BlockRequest
  ) async throws -> BlockOutcome {
    var (request, launch) = (request, launch(.profiled))
    switch what {
    case .cpu, .io: break
    case .allocations:
      launch = self.launch(.counted)
      launch.variables.merge(
        JemallocLibrary.profilingVariables(ProcessInfo.processInfo.environment)
      ) { $1 }
    case .instructions:
      // Whatever the processor can count: Callgrind alone says of which functions.
      switch await callgrind.launch(request) {
      case .success(let counting): launch = counting
      case .failure(let lack): return .failed(stage: nil, reason: lack.reason)
      }
      request.timeout = min(request.timeout, 1 << 24) * Self.patience
    }
    launch.variables.merge(await libraries.variables()) { $1 }
    return try await measure(request, by: launch)
  }

  private func measure(_ request: BlockRequest, by launch: Launch) async throws -> BlockOutcome {
    let transcript = Transcript()
    let input = try JSONEncoder().encode(request)
    let end = try await withWatchdog(
      seconds: request.timeout, idle: { await transcript.silence }
    ) {
      try await launch.converse(input, into: transcript)
    }
    return await transcript.outcome(
      of: end, memoryLimit: request.memoryLimit,
      hung: "it hung: nothing heard for \(request.timeout) s, so it was ended")
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
}

extension BlockOutcome {
  /// The same with one reason for all that is unsupported.
  fileprivate func unsupported(_ reason: String) -> Self {
    guard case .measured(let series) = self else { return self }
    return .measured(
      series.map {
        var series = $0
        if series.unsupported != nil { series.unsupported = reason }
        return series
      })
  }
}

/// Runs an operation, cancels it once it has been idle for too long, and gives nil then.
func withWatchdog<Value: Sendable>(
  seconds: Int, idle: @escaping @Sendable () async -> Duration,
  _ operation: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
  try await withThrowingTaskGroup(of: Value?.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      while true {
        let rest = Duration.seconds(seconds) - (await idle())
        guard rest > .zero else { return nil }
        try await Task.sleep(for: rest)
      }
    }
    defer { group.cancelAll() }
    return try await group.next() ?? nil
  }
}

extension SubprocessWorker {
  /// Asks the executable what it is, and for the fingerprints of some documents.
  ///
  /// - Parameters:
  ///   - documents: names as its own source understands them; what it cannot make is not in the answer.
  ///   - cells: those of which it is to say whether they make sense.
  ///   - limit: seconds that it may take, all documents included.
  /// - Throws: ``WorkerHelloError`` when it is not one that can be measured from here;
  ///   `CancellationError` when the task was cancelled meanwhile.
  package func hello(
    documents: [String], cells: [AskedCell] = [], limit: Int = 30
  ) async throws -> WorkerHello {
    try await hello(.timed, HelloRequest(hello: documents, cells: cells), limit: limit)
  }

  fileprivate func hello(
    _ kind: BlockRequest.Kind, _ request: HelloRequest, limit: Int
  ) async throws -> WorkerHello {
    let transcript = Transcript()
    let input = try JSONEncoder().encode(request)
    let began = ContinuousClock.now
    let end: TerminationStatus?
    do {
      end = try await withWatchdog(seconds: limit, idle: { began.duration(to: .now) }) {
        try await launch(kind).converse(input, into: transcript)
      }
    } catch let error as SubprocessError where Self.isFromStarting(error) {
      throw WorkerHelloError.notStarted(executable: executable, reason: reasonForNotStarting(error))
    }
    try Task.checkCancellation()
    let ours = BlockRequest.currentVersion
    if let hello = await transcript.hello {
      guard hello.version == ours else {
        throw WorkerHelloError.otherVersion(
          executable: executable, found: hello.version, ours: ours)
      }
      return hello
    }
    let outcome = await transcript.outcome(
      of: end, hung: "no answer within \(limit) s, so it was ended")
    guard case .failed(_, let reason) = outcome else {
      throw WorkerHelloError.noWorker(executable: executable, said: "it answered something else")
    }
    throw WorkerHelloError.noWorker(executable: executable, said: reason)
  }

  private static func isFromStarting(_ error: SubprocessError) -> Bool {
    [.spawnFailed, .executableNotFound, .failedToChangeWorkingDirectory].contains(error.code)
  }

  /// The system's word on the file itself is clearer than that on the process.
  private func reasonForNotStarting(_ error: SubprocessError) -> String {
    if access(executable, X_OK) != 0 { return errnoMessage() }
    return error.underlyingError.map { "\($0)" } ?? "\(error)"
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
    let reasons: [String: String]
    do {
      // In a worker started as the counted ones are.
      let counting = try await worker.hello(.counted, HelloRequest(hello: []), limit: 30).machine
      reasons = counting.unsupported.filter { ids.contains($0.key) }
      if reasons.isEmpty { countingAllocator = counting.allocator }
    } catch {
      let reason = "no worker to count by: \(systemReason(error))"
      reasons = Dictionary(uniqueKeysWithValues: ids.map { ($0, reason) })
    }
    for id in ids { unsupported[id] = reasons[id] }
  }
}

/// How a worker's process is started.
struct Launch: Sendable {
  var executable: Executable
  var arguments: [String]
  /// What it sees of the environment besides the few variables that every worker gets.
  var variables: [String: String] = [:]
}

extension Launch {
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

  /// A group of its own: Ctrl-C on a terminal reaches the parent, which then ends its worker.
  static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }

  /// Starts a process, gives it its input, and takes down what it says until its end.
  func converse(_ input: Data, into transcript: Transcript) async throws -> TerminationStatus {
    let request = try RequestFile.open(input)
    return try await Subprocess.run(
      executable, arguments: Arguments(arguments), environment: environment,
      platformOptions: Self.platformOptions,
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
}

/// What a worker is to read, as an open file without a name.
///
/// A pipe would end the parent by SIGPIPE where a process ends before it reads, and would arrive in
/// pieces that differ from run to run.
enum RequestFile {
  /// Writes the bytes and gives the file, to be read from its beginning. This is within the time of a cold
  /// start: system calls alone, so that it takes as long in every version.
  ///
  /// - Throws: ``UnusableTemporaryFolder`` where no temporary file can be made, the system's error
  ///   (`Errno`) where it cannot be written.
  static func open(_ bytes: Data) throws -> FileDescriptor {
    let folder = NSTemporaryDirectory()
    let path = FilePath(folder).appending("request-\(UUID())")
    let file: FileDescriptor
    do {
      file = try FileDescriptor.open(
        path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
        permissions: .ownerReadWrite)
    } catch let error as Errno {
      throw UnusableTemporaryFolder(path: folder, reason: error.description)
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

/// The folder for temporary files is not there, or no file can be made in it.
package struct UnusableTemporaryFolder: UserFacingError, Equatable, CustomStringConvertible {
  package var path: String
  package var reason: String

  package var description: String {
    "no file can be made in the temporary folder \(path): \(reason)"
  }

  package var help: String? { "set TMPDIR to a folder that is there" }
}

/// What a worker said before it ended, and what that makes of its block.
actor Transcript {
  /// What the process is called.
  private let who: String
  private(set) var stage: String?
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
    switch end {
    case nil: .failed(stage: stage, reason: hung)
    case .exited(0):
      answer ?? .failed(stage: stage, reason: "\(who) ended without a result" + said)
    case .exited(let code):
      .failed(stage: stage, reason: "\(who) exited with status \(code)" + said)
    case .signaled(let signal):
      .failed(stage: stage, reason: death(by: signal, memoryLimit) + said)
    }
  }

  private func death(by signal: Int32, _ memoryLimit: Int?) -> String {
    let name = String(cString: strsignal(signal))
    let crash = "\(who) crashed with signal \(signal) (\(name))"
    if let memoryLimit {
      return crash + "; it was limited to \(memoryLimit / 1_000_000) MB of memory"
    }
    return signal == SIGKILL ? crash + ", as it does when the machine is out of memory" : crash
  }

  private var said: String {
    errors.isEmpty ? "" : "; it said: " + errors.joined(separator: " / ")
  }
}

extension SubprocessOutputSequence {
  /// Lines that end at LF alone: a menu's name may hold what Unicode calls a line break.
  fileprivate var lines: some AsyncSequence<String, any Error> {
    strings(separatedBy: .unicodeScalarSequence(["\n"]), bufferingPolicy: .unbounded)
  }
}
