import BenchProbes
import Foundation
import TestSupport
import Testing

@testable import BenchEngine

#if os(Linux)
  @Suite("Workers that take turns")
  struct TurnLineTests {
    @Test("stay on one processor from when they meet, but where a workload has threads of its own")
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
          func meet(pins: Bool) throws {
            // It meets itself: who reads a pipe that it writes.
            try TurnLine(Turns(own: pipe, other: pipe, begins: true, processor: 0))
              .meet(pins: pins) {}
          }
          let all = try processors()
          try meet(pins: false)
          #expect(try processors() == all)
          try meet(pins: true)
          #expect(Int(try processors()) != nil)
        }
      }
    }
  }
#endif
