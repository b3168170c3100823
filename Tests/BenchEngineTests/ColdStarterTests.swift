import BenchProcesses
import Foundation
import TestSupport
import Testing

@testable import BenchEngine

@Suite("A cold process")
struct ColdStarterTests {
  private let request = ColdRequest(
    workload: "w", backend: "b", durability: "d", order: [-1, 2])

  /// The reply of a process that runs a line of shell, and how many signs of life its waiting
  /// parent gave.
  private func start(
    _ script: String, limit: Int = 600, isKilled: Bool = false
  ) async throws -> (reply: ColdReply, beats: Int) {
    let starter = SubprocessWorker(executable: "/bin/sh", arguments: ["-c", script, "cold"])
    var asked = request
    asked.isKilled = isKilled
    let request = asked
    return try await onThread {
      var beats = 0
      let reply = try starter.start(request, limit: limit) { beats += 1 }.reply
      return (reply, beats)
    }
  }

  private func failure(_ script: String, limit: Int = 600) async -> String? {
    let error = await #expect(throws: WorkloadFailure.self) {
      try await start(script, limit: limit)
    }
    return error?.description
  }

  @Test("gets the request as arguments, and its reply is found among other lines")
  func reply() async throws {
    let (reply, _) = try await start(
      #"""
      echo noise
      [ "$*" = "--request=w,b,d,-1,2" ] || exit 9
      echo '{"found":{"_0":{"began":7,"finding":"e30="}}}'
      """#)
    #expect(reply == ColdReply(began: 7, finding: Data("{}".utf8)))
  }

  @Test("may be killed after its reply if that was planned, and in no other case")
  func dying() async throws {
    let reply = #"echo '{"found":{"_0":{"began":7,"finding":"e30="}}}'"#
    #expect(try await start(reply + "; kill -KILL $$", isKilled: true).reply.began == 7)
    for (script, isKilled) in [
      (reply, true), (reply + "; kill -ABRT $$", true), (reply + "; kill -KILL $$", false),
    ] {
      await #expect(throws: WorkloadFailure.self, "\(script)") {
        try await start(script, isKilled: isKilled)
      }
    }
  }

  @Test("is a failure with its last output if it fails, crashes, or says nothing or nonsense")
  func failures() async {
    #expect(await failure("echo '{\"failure\":{\"reason\":\"no disk\"}}'") == "no disk")
    #expect(
      await failure("echo words >&2; exit 3")
        == "a fresh process exited with status 3, and it printed: words")
    #expect(
      await failure("kill -ABRT $$")?.hasPrefix("a fresh process crashed with signal 6 (Aborted)")
        == true)
    #expect(await failure(":") == "a fresh process ended without a result")
    #expect(await failure("echo nonsense")?.hasSuffix("it printed: nonsense") == true)
    #expect(
      await failure(#"echo '{"result":{"_0":[]}}'"#)
        == "a fresh process answered, but not with its findings")
  }

  @Test("ends when its time is up, and its waiting parent gives signs of life")
  func hangs() async throws {
    #expect(
      await failure("exec sleep 600", limit: 2)
        == "a fresh process hung: no answer within 2 s, so it was ended")
    #expect(
      try await start(
        #"sleep 2; echo '{"found":{"_0":{"began":7,"finding":"e30="}}}'"#
      ).beats > 0)
  }
}
