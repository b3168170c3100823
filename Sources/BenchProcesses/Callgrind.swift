import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Subprocess

/// Counts workers' instructions where the machine cannot.
enum Callgrind {
  /// Valgrind's version, as `3.19.0`; nil where there is none.
  static func version() async -> String? {
    let said = try? await Preparations.run("valgrind", ["--version"])
    return said?.split(separator: "-").last?.split(separator: "\n").first.map(String.init)
  }

  /// How to start the worker of a request, from a stripped copy of its executable.
  ///
  /// The worker finds the output file from within the block's folder, where it works: a path as long
  /// as the folder's would move the stack of what is counted.
  static func launch(_ copy: String, _ arguments: [String], _ request: BlockRequest) -> Launch {
    // What is profiled is read when the block's folder is gone.
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
