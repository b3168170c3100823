import Foundation
import Subprocess
import Testing

/// `scripts/try-planted` takes hours, so that nobody would notice what it can no longer plant.
@Suite("Changes to plant in the source of storages")
struct PlantedTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  private static let patches =
    ((try? FileManager.default.contentsOfDirectory(atPath: root + "/Tests/Planted")) ?? []).sorted()

  @Test("say what they are, how to gate them and what must be red, and can be planted")
  func applies() async throws {
    #expect(Self.patches == ["decode.patch", "memory.patch", "open.patch", "writes.patch"])
    for patch in Self.patches {
      let text = try String(contentsOfFile: Self.root + "/Tests/Planted/" + patch, encoding: .utf8)
      let head = text.split(separator: "\n").prefix(3).map { $0.prefix { $0 != ":" } }
      #expect(head == ["What", "Gate", "Red"], "\(patch)")
      let outcome = try await Executable.shell(
        "git apply --check Tests/Planted/\(patch)", in: Self.root)
      #expect(outcome.status == .exited(0), "\(patch): \(outcome.errors)")
    }
  }
}
