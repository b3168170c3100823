import BenchProbes
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

struct MemoryLimitTests {
  #if os(Linux)
    @Test("beyond the limit the system gives no memory, below it does")
    func limit() async {
      await #expect(processExitsWith: .success) {
        #expect(MemoryLimit.apply(bytes: 1 << 30) == nil)
        let flags = MAP_PRIVATE | MAP_ANONYMOUS
        let access = PROT_READ | PROT_WRITE
        #expect(mmap(nil, 1 << 31, access, flags, -1, 0) == MAP_FAILED)
        #expect(mmap(nil, 1 << 20, access, flags, -1, 0) != MAP_FAILED)
      }
    }
  #endif

  @Test("a limit that cannot be is refused in words", arguments: [0, -1, Int.min])
  func refused(bytes: Int) {
    #expect(MemoryLimit.apply(bytes: bytes) == "a memory limit of \(bytes) bytes")
  }
}
