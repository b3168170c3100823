import Basics
import BenchEngine
import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// Another job on the machine that is measured: on each processor bursts of work for it, for the memory and for the
/// drive, with pauses, drawn by a seed.
package struct BusyNeighbour: Sendable {
  private let launch: Launch

  /// Will start this executable with these arguments, which must end in ``work(seed:)``.
  package init(executable: String, arguments: [String]) {
    launch = Launch(executable: .path(FilePath(executable)), arguments: arguments)
  }

  /// Runs an operation beside it.
  ///
  /// - Throws: what the operation throws; ``WorkloadFailure`` where the neighbour ends before it, since what
  ///   was measured then had none.
  package func beside<Value: Sendable>(
    _ operation: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let launch = launch
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask {
        let end = try await launch.converse(Data(), into: Transcript(of: "the busy neighbour"))
        try Task.checkCancellation()
        throw WorkloadFailure("the busy neighbour ended by itself: \(end)")
      }
      group.addTask(operation: operation)
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw CancellationError() }
      return value
    }
  }
}

extension BusyNeighbour {
  /// Bytes that a burst for the memory goes through: more than the caches of most processors hold.
  private static var memory: Int { 64 << 20 }

  /// The job itself, until whoever reads this process's standard output is gone.
  ///
  /// - Throws: the system's error where no file can be written in the temporary folder.
  package static func work(seed: UInt64) throws -> Never {
    Lifeline.watch(STDOUT_FILENO)
    for processor in 1..<max(ProcessInfo.processInfo.activeProcessorCount, 1) {
      Thread.detachNewThread {
        do {
          try bursts(seed: seed &+ UInt64(processor) << 32)
        } catch {
          FileHandle.standardError.write(Data("\(error)\n".utf8))
          exit(1)
        }
      }
    }
    try bursts(seed: seed)
  }

  private static func bursts(seed: UInt64) throws -> Never {
    var order = SplitMix64(seed: seed)
    var words = [UInt64](repeating: 1, count: memory / 8)
    let file = FilePath(NSTemporaryDirectory()).appending("neighbour-\(UUID())")
    let drive = try FileDescriptor.open(
      file, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec],
      permissions: .ownerReadWrite)
    unlink(file.string)
    while true {
      let end = ContinuousClock.now + .milliseconds(50 + order.below(1_000))
      let kind = order.below(3)
      while ContinuousClock.now < end {
        switch kind {
        case 0: for _ in 0..<100_000 { words[0] &+= order.next() }
        case 1: for place in stride(from: 0, to: words.count, by: 8) { words[place] &+= 1 }
        default: try write(&words, to: drive)
        }
      }
      usleep(UInt32(20_000 + order.below(500_000)))
    }
  }

  /// Puts a megabyte onto the drive.
  private static func write(_ words: inout [UInt64], to file: FileDescriptor) throws {
    try words.withUnsafeBytes { bytes in
      _ = try file.writeAll(
        toAbsoluteOffset: 0, UnsafeRawBufferPointer(rebasing: bytes[..<(1 << 20)]))
    }
    fsync(file.rawValue)
  }
}
