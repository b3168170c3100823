import Foundation
import PersistenceBackends
import Testing

@testable import BenchEngine

@Suite("The reason for a failure of a storage")
struct FailureReasonTests {
  private struct Item: Codable { var price: Int }

  private func reason(ofReading json: String) -> String? {
    do {
      _ = try JSONDecoder().decode([Item].self, from: Data(json.utf8))
      return nil
    } catch {
      return failureReason(error)
    }
  }

  @Test(
    "translates a decoder's errors into our words",
    arguments: [
      ("", "it is damaged, or holds a number that is not allowed there"),
      (#"[{"price": 1}, {"pri"#, "it is damaged, or holds a number that is not allowed there"),
      ("{}", "it is not a list"), ("[{}]", "[0].price is missing"),
      (#"[{"price": "1"}]"#, "[0].price is not a whole number"),
    ])
  func decoder(json: String, reason: String) {
    #expect(self.reason(ofReading: json) == "the data read is not such a document: \(reason)")
  }

  @Test("has the number for an encoder's errors")
  func encoder() {
    struct Offer: Encodable { var price: Double }
    let error = #expect(throws: EncodingError.self) {
      try JSONEncoder().encode(Offer(price: .nan))
    }
    #expect(error.map { failureReason($0) } == "it cannot be encoded: price holds nan")
  }

  @Test("has the system's words instead of Foundation's, and keeps an author's words")
  func words() {
    struct Torn: Error, CustomStringConvertible { let description = "the tape is torn" }
    struct Locked: LocalizedError { let errorDescription: String? = "another app has it" }
    enum Bare: Error { case untold }
    #expect(failureReason(CocoaError(.fileWriteOutOfSpace)) == "No space left on device")
    #expect(
      failureReason(CocoaError(.fileReadUnknown))
        == "the system gave no reason: NSCocoaErrorDomain 256")
    #expect(failureReason(Locked()) == "another app has it")
    #expect(failureReason(Bare.untold) == "untold")
    #expect(failureReason(POSIXError(.EROFS)) == "Read-only file system")
    #expect(failureReason(Torn()) == "the tape is torn")
  }

  @Test("has the whole path for a path in the store's folder")
  func path() {
    let here = FileManager.default.currentDirectoryPath
    let error = StoreError(operation: "open", path: "./menu.json", reason: "it is a folder")
    #expect(failureReason(error) == "open \(here)/menu.json: it is a folder")
  }
}
