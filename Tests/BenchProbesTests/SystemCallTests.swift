import CProfiler
import Testing

@testable import BenchProbes

@Suite("A system call")
struct SystemCallTests {
  @Test("has a name, and its bytes are read or written according to the call")
  func bytes() {
    let calls: [(number: Int64, name: String, read: Double, written: Double)] = [
      (0, "read", 12, 0), (295, "preadv", 12, 0), (327, "preadv2", 12, 0),
      (1, "write", 0, 12), (296, "pwritev", 0, 12), (328, "pwritev2", 0, 12),
      (40, "sendfile", 12, 12), (326, "copy_file_range", 12, 12),
      (74, "fsync", 0, 0), (265, "linkat", 0, 0), (9_999, "call 9999", 0, 0),
    ]
    for (number, name, read, written) in calls {
      var stack = profiler_stack()
      (stack.first, stack.second) = (number, 12)
      let call = SystemCall(stack)
      #expect(call.description == name)
      #expect((call.read, call.written) == (read, written), "\(name)")
      #expect((call.isRead, call.isWrite) == (read > 0, written > 0), "\(name)")
    }
  }
}
