import Basics
import Testing

@testable import BenchProbes

struct MemoryLimitTests {
  #if os(Linux)
    @Test("beyond the limit the system gives no memory, and below it does")
    func limit() async {
      await #expect(processExitsWith: .success) {
        // A sanitizer's shadow memory counts too, so the limit includes the memory in use.
        let status = try ProcFile("/proc/self/status")
        let used = try #require(status.number("VmData:")) * 1_024
        func map(_ bytes: Int) -> Bool {
          mmap(nil, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED
        }
        let limit = Int(used) + (1 << 30) + (512 << 20)
        #expect(map(1 << 30))
        #expect(MemoryLimit.apply(bytes: limit) == nil)
        #expect(!map(1 << 30))
        #expect(map(64 << 20))
      }
    }
  #endif

  @Test("an impossible limit is refused with a reason", arguments: [0, -1, Int.min])
  func refused(bytes: Int) {
    #expect(MemoryLimit.apply(bytes: bytes) == "a memory limit of \(bytes) bytes")
  }
}
