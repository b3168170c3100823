import BenchResults
import Foundation
import Subprocess

extension SubprocessWorker {
  /// Asks the executable what it is, and for the fingerprints of some documents.
  ///
  /// - Parameters:
  ///   - documents: names as its own source understands them; what it cannot make is not in the answer.
  ///   - limit: seconds that it may take, all documents included.
  /// - Throws: ``WorkerHelloError`` when it is not one that can be measured from here;
  ///   `CancellationError` when the task was cancelled meanwhile.
  public func hello(documents: [String], limit: Int = 30) async throws -> WorkerHello {
    let transcript = Transcript()
    let input = try JSONEncoder().encode(HelloRequest(documents: documents))
    let began = ContinuousClock.now
    let end: TerminationStatus?
    do {
      end = try await withWatchdog(seconds: limit, idle: { began.duration(to: .now) }) {
        try await launch(.timed).converse(input, into: transcript)
      }
    } catch let error as SubprocessError where Self.isFromStarting(error) {
      throw WorkerHelloError.notStarted(executable: executable, reason: reasonForNotStarting(error))
    }
    try Task.checkCancellation()
    return try understood(await transcript.hello, await transcript.outcome(of: end, limit: limit))
  }

  private static func isFromStarting(_ error: SubprocessError) -> Bool {
    [.spawnFailed, .executableNotFound, .failedToChangeWorkingDirectory].contains(error.code)
  }

  /// The system's word on the file itself is clearer than that on the process.
  private func reasonForNotStarting(_ error: SubprocessError) -> String {
    if access(executable, X_OK) != 0 { return String(cString: strerror(errno)) }
    return error.underlyingError.map { "\($0)" } ?? "\(error)"
  }

  private func understood(_ hello: WorkerHello?, _ outcome: BlockOutcome) throws -> WorkerHello {
    let ours = BlockRequest.currentVersion
    if let hello {
      guard hello.version == ours else {
        throw WorkerHelloError.otherVersion(
          executable: executable, found: hello.version, ours: ours)
      }
      return hello
    }
    guard case .failed(_, let reason) = outcome else {
      throw WorkerHelloError.noWorker(executable: executable, said: "it answered something else")
    }
    if let found = Self.version(refusing: reason) {
      throw WorkerHelloError.otherVersion(executable: executable, found: found, ours: ours)
    }
    throw WorkerHelloError.noWorker(executable: executable, said: reason)
  }

  /// The version of a worker that refuses ours: those before the hello only say so in words.
  static func version(refusing reason: String) -> Int? {
    guard let match = reason.firstMatch(of: /of the worker protocol, this worker (\d+)/) else {
      return nil
    }
    return Int(match.1)
  }
}

extension Transcript {
  fileprivate func outcome(of end: TerminationStatus?, limit: Int) -> BlockOutcome {
    guard let end else {
      return .failed(stage: nil, reason: "no answer within \(limit) s, so it was ended")
    }
    return outcome(of: end, memoryLimit: nil)
  }
}
