import BenchProbes
import Foundation
import TestSupport
import Testing

@testable import BenchEngine

#if os(Linux)
  @Suite("Workers that alternate")
  struct TurnLineTests {
    @Test("stay on one processor from start to end, unless a workload has its own threads")
    func pinning() async {
      await #expect(processExitsWith: .success) {
        try inFolder { folder in
          let pipe = folder + "/pipe"
          #expect(mkfifo(pipe, 0o600) == 0)
          func processors() throws -> String {
            let status = try String(contentsOfFile: "/proc/thread-self/status", encoding: .utf8)
            return try #require(
              status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }
            ).split(separator: "\t").last.map(String.init) ?? ""
          }
          func meet(pins: Bool) throws -> TurnChannel {
            // It meets itself: who reads a pipe that it writes.
            let line = try TurnChannel(Turns(own: pipe, other: pipe, begins: true, processor: 0))
            line.meet(pins: pins) {}
            return line
          }
          let all = try processors()
          let free = try meet(pins: false)
          #expect(try processors() == all)
          free.leave()
          #expect(try processors() == all)
          let pinned = try meet(pins: true)
          #expect(Int(try processors()) != nil)
          pinned.leave()
          #expect(try processors() == all)
        }
      }
    }
  }
#endif
