import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Subprocess

/// Counts workers' instructions with Callgrind, if the processor cannot count them.
enum Callgrind {
  /// Returns Valgrind's version, such as `3.19.0`, or nil if it is not installed.
  static func version() async -> String? {
    let said = try? await Preparations.run("valgrind", ["--version"])
    return said?.split(separator: "-").last?.split(separator: "\n").first.map(String.init)
  }

  /// Returns how to start the worker of a request from a stripped copy of its executable.
  ///
  /// The worker writes the output file relative to the block's folder, where it works. A path as
  /// long as the folder's would move the stack of the counted code.
  static func launch(_ copy: String, _ arguments: [String], _ request: BlockRequest) -> Launch {
    // A profile is read after the block's folder has been removed.
    let name = request.profile.map { $0.output + ".callgrind" } ?? "callgrind.out"
    let path = request.profile == nil ? request.folder + "/" + name : name
    let output = path.replacing(["%": "%%"])
    return Launch(
      executable: .name("valgrind"),
      arguments: [
        "--quiet", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no",
        "--collect-jumps=no", "--vgdb=no", "--callgrind-out-file=\(output)", copy,
      ] + arguments,
      variables: [
        "SWIFT_DETERMINISTIC_HASHING": "1", CallgrindInstructions.outputVariable: name,
        "GLIBC_TUNABLES": steadyMalloc,
      ])
  }

  /// By default glibc adjusts its thresholds to earlier frees, and a thread's cache depends on all
  /// earlier allocations. Any change before a phase would then change the phase's counts. Small
  /// chunks are merged when they are freed (mxfast). If they were kept, the phase that first frees
  /// a large chunk would merge all of them.
  private static let steadyMalloc = [
    "glibc.malloc.arena_max=1", "glibc.malloc.mmap_threshold=33554432",
    "glibc.malloc.tcache_count=0", "glibc.malloc.mxfast=0", "glibc.malloc.top_pad=67108864",
    "glibc.malloc.trim_threshold=4294967296",
  ].joined(separator: ":")
}

extension Machine {
  /// Finds out what counts instructions if the processor cannot, for a run that needs them.
  ///
  /// Records the version of Callgrind if it is used. Instructions are then no longer marked as
  /// unsupported for the machine, because blocks that count them report problems themselves.
  package mutating func findInstructionCounter() async {
    guard instructionCounter == nil else { return }
    unsupported[Metric.instructions.id] = nil
    guard CallgrindInstructions.isBuiltIn, let version = await Callgrind.version() else { return }
    instructionCounter = "callgrind \(version)"
  }
}
