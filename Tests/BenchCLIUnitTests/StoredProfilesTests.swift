import BenchReports
import BenchResults
import Foundation
import Testing

@testable import BenchCLI

@Suite("Flame graphs of stored profiles")
struct StoredProfilesTests {
  private func profile(_ measures: [String]) -> Profile {
    var facts = Profile.Facts()
    (facts.blocks, facts.runs, facts.taken) = (1, 1, 1)
    return Profile(
      what: .cpu, cell: cell(), phase: "decode",
      measures: measures.map { Profile.Measure(id: $0, unit: .nanoseconds, sample: 1_000_000) },
      frames: [Profile.Frame(name: "work()", module: "bench", owner: .program)],
      stacks: [Profile.Stack(frames: [0], values: [measures.map { _ in 1e6 }])], facts: facts)
  }

  /// The titles of a folder's graphs.
  private func titles(from old: Profile, to new: Profile) throws -> [Substring] {
    var titles: [Substring] = []
    try inFolder { folder in
      for (name, profile) in [("profile-before.json", old), ("profile.json", new)] {
        let data = try JSONEncoder().encode([profile])
        try data.write(to: URL(fileURLWithPath: folder + "/" + name))
      }
      titles = try StoredProfiles.graphs(in: folder).map { graph in
        graph.page.split(separator: "\n").first { $0.hasPrefix("<title>") } ?? ""
      }
    }
    return titles
  }

  @Test("show the changes if both sides measured the same, and otherwise the present profile")
  func pairs() throws {
    let (one, two) = (profile(["cpu"]), profile(["cpu", "waited"]))
    #expect(
      try titles(from: two, to: two) == [
        "<title>json · large · roundtrip · decode, cpu: from before to now</title>"
      ])
    let alone: [Substring] = ["<title>json · large · roundtrip · decode · cpu</title>"]
    #expect(try titles(from: one, to: two) == alone)
    #expect(try titles(from: profile(["bytes"]), to: one) == alone)
  }
}
