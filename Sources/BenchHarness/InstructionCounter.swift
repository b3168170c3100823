import BenchProbes
import BenchResults

extension Machine {
  /// Finds out what counts instructions where the processor cannot, for a run that wants them.
  ///
  /// Where it is Callgrind, its version is written down. Either way they are no longer called
  /// unsupported by the machine: the blocks that are to count them say for themselves.
  public mutating func findInstructionCounter() async {
    guard instructionCounter == nil else { return }
    unsupported[Metric.instructions.id] = nil
    guard CallgrindInstructions.isBuiltIn, let version = await Callgrind.version() else { return }
    instructionCounter = "callgrind \(version)"
  }
}
