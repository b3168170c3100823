import Basics
import BenchAnalysis
import BenchResults

/// The places where backends spend their time: one line per backend, one table per phase.
package struct CostSharesDocument: Readable {
  private let profiles: [Profile]
  private let failures: [String]

  /// - Parameters:
  ///   - profiles: One per backend, of time.
  ///   - failures: The backends that could not be profiled, each with its reason.
  package init(_ profiles: [Profile], failures: [String] = []) {
    self.profiles = profiles
    self.failures = failures
  }

  package func parts(on medium: Medium) -> [Part] {
    let cell = profiles.first?.cell
    let headline =
      "Time by kind of code"
      + (cell.map { ": \($0.menu) · \($0.workload) · \($0.durability)" } ?? "")
    return [.headline(headline)]
      + profiles.grouped(by: \.phase).flatMap { phase, profiles -> [Part] in
        [.heading(phase), .table(Self.table(profiles))]
      } + [.paragraph(Self.legend)]
      + Part.list("Not profiled", failures)
  }

  private static func table(_ profiles: [Profile]) -> Table {
    let titles: [CostOwner: String] = [.allocator: "malloc", .waiting: "waits"]
    return Table(
      columns: [.id("backend"), .number("a run")]
        + CostOwner.allCases.reversed().map { .number(titles[$0] ?? $0.rawValue) },
      rows: profiles.map { profile in
        let costs = CostShares(profile)
        return [Table.Cell(profile.cell.backend), .value(costs?.time, .nanoseconds)]
          + CostOwner.allCases.reversed().map { owner in
            .percent(costs.map { $0.shares[owner, default: 0] })
          }
      })
  }

  private static let legend =
    "own: the backend's own code; library: SQLite, LMDB, GRDB, UserDefaults; coder: coders of "
    + "Foundation, SwiftProtobuf and simdjson, zstd, and the Codable code of types; "
    + "malloc: getting and freeing memory, for any code; kernel: work in system calls; "
    + "waits: mostly for the drive. The Swift runtime and the C library count for their caller. "
    + "The time of a run includes the sampler, so do not compare it with other tables."
}
