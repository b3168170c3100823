import Foundation
import Subprocess
import Testing

/// `scripts/try-planted` takes hours, so that nobody would notice what it can no longer plant.
@Suite("Changes to plant in the source of storages")
struct PlantedTests {
  @Test("say what they are, how to gate them and what must be red, and can be planted")
  func applies() async throws {
    let folder = Page.root + "/Tests/Planted"
    let patches = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    #expect(patches == ["decode.patch", "memory.patch", "open.patch", "writes.patch"])
    for patch in patches {
      let text = try String(contentsOfFile: "\(folder)/\(patch)", encoding: .utf8)
      let head = text.split(separator: "\n").prefix(3).map { $0.prefix { $0 != ":" } }
      #expect(head == ["What", "Gate", "Red"], "\(patch)")
      let outcome = try await Executable.shell(
        "git apply --check Tests/Planted/\(patch)", in: Page.root)
      #expect(outcome.status == .exited(0), "\(patch): \(outcome.errors)")
    }
  }
}
