import Subprocess
import Testing

struct ReferencesTests {
  @Test("the libraries alone read what they wrote, in the phases that bench measures")
  func trial() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.references("try", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(
        outcome.output == """
          json encode write read decode
          protobuf encode write read decode
          sqlite write read
          sqlite-grdb write read
          lmdb encode write read decode
          raw-response write read decode

          """)
    }
  }
}
