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

/// Starts workers under Callgrind, which counts their instructions where the machine cannot.
actor Callgrind {
  private let executable: String
  private let arguments: [String]
  private let scratch: String?
  private var copying: Task<Result<String, Unsupported>, Never>?

  /// Will start a stripped copy of this executable, made in a folder when it is first needed.
  init(executable: String, arguments: [String], scratch: String?) {
    self.executable = executable
    self.arguments = arguments
    self.scratch = scratch
  }

  /// How to start the worker of a request.
  func launch(_ request: BlockRequest) async -> Result<Launch, Unsupported> {
    let task = copying ?? Task { await strippedCopy() }
    copying = task
    return await task.value.map { launch($0, request) }
  }

  /// Valgrind's version, as `3.19.0`; nil where there is none.
  static func version() async -> String? {
    let said = try? await run(
      .name("valgrind"), arguments: ["--version"], output: .string(limit: 1_024),
      error: .discarded)
    guard let said, said.terminationStatus.isSuccess else { return nil }
    return said.standardOutput.split(separator: "-").last?.split(separator: "\n").first
      .map(String.init)
  }

  /// Valgrind 3.19 gives up on the debug information of Swift's executables.
  private func strippedCopy() async -> Result<String, Unsupported> {
    guard await Self.version() != nil else {
      return .failure(
        Unsupported("no valgrind to count by: install valgrind, remove .build and build again"))
    }
    guard let scratch else { return .failure(Unsupported("no folder for a stripped copy")) }
    let copy = scratch + "/worker"
    do {
      try makeFolder(scratch)
      let end = try await run(
        .name("strip"), arguments: ["-g", "-o", copy, executable], output: .discarded,
        error: .string(limit: 1 << 16))
      guard end.terminationStatus.isSuccess else {
        let said = end.standardError.split(separator: "\n").first ?? "it said nothing"
        return .failure(Unsupported("strip cannot copy \(executable): \(said)"))
      }
      return .success(copy)
    } catch let error as SubprocessError where error.code == .executableNotFound {
      return .failure(Unsupported("no strip to prepare the worker by: install binutils"))
    } catch {
      return .failure(Unsupported("no stripped copy of \(executable): \(systemReason(error))"))
    }
  }

  /// The worker finds the output file from within the block's folder, where it works: a path as long
  /// as the folder's would move the stack of what is counted.
  private func launch(_ copy: String, _ request: BlockRequest) -> Launch {
    // What is profiled is read when the block's folder is gone.
    let name = request.profile.map { $0.output + ".callgrind" } ?? "callgrind.out"
    let path = request.profile == nil ? request.folder + "/" + name : name
    let output = path.replacing(["%": "%%"])
    return Launch(
      executable: .name("valgrind"),
      arguments: [
        "--quiet", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
        "--vgdb=no", "--callgrind-out-file=\(output)", copy,
      ] + arguments,
      variables: [
        "SWIFT_DETERMINISTIC_HASHING": "1", CallgrindInstructions.outputVariable: name,
        "GLIBC_TUNABLES": Self.steadyMalloc,
      ])
  }

  /// By itself glibc moves its thresholds by what was freed before, and what a thread's cache holds
  /// depends on all that was allocated until then: any change of what a process does before a phase
  /// would move what the phase counts. Small chunks are merged as they are freed (mxfast): kept apart,
  /// all that were ever freed are merged by whichever phase first frees a large one.
  private static let steadyMalloc = [
    "glibc.malloc.arena_max=1", "glibc.malloc.mmap_threshold=33554432",
    "glibc.malloc.tcache_count=0", "glibc.malloc.mxfast=0", "glibc.malloc.top_pad=67108864",
    "glibc.malloc.trim_threshold=4294967296",
  ].joined(separator: ":")
}

extension Machine {
  /// Finds out what counts instructions where the processor cannot, for a run that wants them.
  ///
  /// Where it is Callgrind, its version is written down. Either way they are no longer called
  /// unsupported by the machine: the blocks that are to count them say for themselves.
  package mutating func findInstructionCounter() async {
    guard instructionCounter == nil else { return }
    unsupported[Metric.instructions.id] = nil
    guard CallgrindInstructions.isBuiltIn, let version = await Callgrind.version() else { return }
    instructionCounter = "callgrind \(version)"
  }
}
