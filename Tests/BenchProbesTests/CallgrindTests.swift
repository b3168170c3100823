import BenchProbes
import BenchResults
import Testing

@Suite("Instructions outside of Callgrind")
struct CallgrindTests {
  @Test("are refused by it, with the reason")
  func refused() {
    let reason =
      CallgrindInstructions.isBuiltIn
      ? "not run under Callgrind" : "built without valgrind's header"
    #expect(throws: Unsupported(reason)) { try CallgrindInstructions() }
    #expect(!CallgrindInstructions.isRunning)
  }

  @Test("are counted by the processor, or unsupported for the processor's and Callgrind's reasons")
  func reasons() {
    let instruments = Instruments([.instructions])
    if let refusal = Instructions.refusal {
      #expect(
        instruments.unsupported["instructions"]
          == refusal + ", and not under Callgrind, which --metrics instructions uses")
    } else {
      #expect(instruments.available.flatMap(\.metrics) == [.instructions])
    }
  }
}
