import RunHistory
import Testing

@testable import BenchCLI

@Suite("Why there is no history is said in words, with what to do")
struct HistoryWordingTests {
  private static let cases: [(HistoryIndexError, BenchCLI.ExitStatus, String, String)] = [
    (
      .missing(path: "h"), .noBaseline, "there is no history at h",
      "begin one: bench history add"
    ),
    (
      .locked(path: "h"), .failed, "h is locked: another process is writing to it",
      "try again once it is done"
    ),
    (
      .damaged(path: "h", reason: "r"), .failed, "h is damaged: r",
      "move it away, and begin another from the runs: bench history add"
    ),
    (
      .notAHistory(path: "h", reason: "it is empty"), .failed, "h is not a history: it is empty",
      "give the file of one with --index"
    ),
    (
      .newer(path: "h", found: 2, supported: 1), .failed,
      "h has version 2, this program knows up to version 1", "use the newer program that made it"
    ),
    (
      .unusable(path: "h", reason: "r"), .failed, "h cannot be used: r",
      "choose another place with --index"
    ),
  ]

  @Test("Each with the file and a status", arguments: cases)
  func words(error: HistoryIndexError, status: BenchCLI.ExitStatus, message: String, help: String)
    throws
  {
    let found = try #require(ErrorWording.cliError(for: error))
    #expect(found.status == status && found.message == message && found.help == help)
  }
}
