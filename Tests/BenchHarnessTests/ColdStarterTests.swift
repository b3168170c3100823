import BenchHarness
import BenchProbes
import Foundation
import Testing

@Suite("A fresh process")
struct ColdStarterTests {
  private let request = ColdRequest(
    workload: "w", backend: "b", durability: "d", order: [-1, 2])

  /// What comes of a process that runs a line of shell.
  private func start(_ script: String, limit: Int = 600) throws -> ColdReply {
    let starter = SubprocessColdStarter(executable: "/bin/sh", arguments: ["-c", script, "cold"])
    let before = MonotonicClock().now()
    let (spawned, reply) = try starter.start(request, limit: limit) {}
    #expect(before <= spawned)
    return reply
  }

  private func failure(_ script: String, limit: Int = 600) -> String? {
    let error = #expect(throws: WorkloadFailure.self) { try start(script, limit: limit) }
    return error?.description
  }

  @Test("gets the request as arguments, and its reply is taken among other lines")
  func reply() throws {
    let reply = try start(
      #"""
      echo noise
      [ "$*" = "--workload=w --backend=b --durability=d --order=-1,2" ] || exit 9
      echo '{"found":{"_0":{"began":7,"finding":"e30="}}}'
      """#)
    #expect(reply == ColdReply(began: 7, finding: Data("{}".utf8)))
  }

  @Test("that fails, crashes, says nothing or nonsense is a failure with its last words")
  func failures() {
    #expect(failure("echo '{\"failure\":{\"reason\":\"no disk\"}}'") == "no disk")
    #expect(
      failure("echo words >&2; exit 3")
        == "a fresh process exited with status 3; it said: words")
    #expect(
      failure("kill -ABRT $$")?.hasPrefix("a fresh process crashed with signal 6 (Aborted)")
        == true)
    #expect(failure(":") == "a fresh process ended without a result")
    #expect(failure("echo nonsense")?.hasSuffix("it said: nonsense") == true)
    #expect(
      failure(#"echo '{"result":{"_0":[]}}'"#)
        == "a fresh process said something else than what it found")
  }

  @Test("that hangs is ended when its time is up; whoever waits gives signs of life meanwhile")
  func hangs() throws {
    var beats = 0
    let starter = SubprocessColdStarter(
      executable: "/bin/sh", arguments: ["-c", "exec sleep 600"])
    #expect(
      throws: WorkloadFailure(
        "a fresh process hung: no answer within 2 s, so it was ended")
    ) { _ = try starter.start(request, limit: 2) { beats += 1 } }
    #expect(beats > 0)
  }
}
