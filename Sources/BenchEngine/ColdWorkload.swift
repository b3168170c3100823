import BackendKit
import BenchDocuments
import BenchProbes
import Foundation

/// A workload that does part of its work in fresh processes, as an app does right after its launch.
///
/// A fresh process is spawned, not forked, so nothing in it is warm. The store's files are dropped from the
/// page cache first (``PageCache``). If more than a little of them stays there, nothing is measured. The
/// executable itself is cached. The process has neither the document nor the plan, only a store that was closed
/// before. The document must therefore be stored before the first iteration (``Workload/beginsStored``).
package protocol ColdWorkload<Document>: Workload {
  /// The results and measurements of a fresh process.
  associatedtype Finding: Codable & Sendable
  /// The phases that are measured in fresh processes only.
  var coldPhases: [Phase] { get }
  /// How many fresh processes a timed block starts, one after another. Slow ones may end the block earlier.
  var coldStarts: Int { get }
  /// How many fresh processes a resident block starts, to note values other than times.
  var residentStarts: Int { get }
  /// The workload's own numbers for a fresh process. Processes are numbered from 0.
  func order(_ number: Int, by plan: Plan) -> [Int]
  /// Whether the store's files are dropped from the page cache before a process with this order.
  func dropsPageCache(_ order: [Int]) -> Bool
  /// Whether a process with this order is ended by SIGKILL right after its work, without closing
  /// anything, as in a crash.
  func isKilled(after order: [Int]) -> Bool
  /// Does the work in the fresh process.
  ///
  /// - Throws: any error that prevents the work. The cell then has no figures.
  func work(_ order: [Int], on site: ColdSite<Document>) throws -> Finding
  /// Checks the findings of a fresh process for its order and returns what it measured. Runs in the
  /// process that started it.
  ///
  /// - Throws: ``WorkloadFailure`` if the findings are wrong.
  func notes(of finding: Finding, _ order: [Int], by plan: Plan) throws -> [PhaseNote]
}

extension ColdWorkload {
  /// None: by default only times are measured.
  package var residentStarts: Int { 0 }
  /// By default the page cache is emptied, as if the device had just been restarted.
  package func dropsPageCache(_ order: [Int]) -> Bool { true }
  /// By default the process ends normally.
  package func isKilled(after order: [Int]) -> Bool { false }
}

extension Phase {
  /// The time from before a fresh process is spawned until it may open its store. It includes the system,
  /// the loader, the Swift runtime and our argument parsing. No other phase includes these.
  package static let start = Phase("start")
}

/// The store that a fresh process works on. Its time starts when this value is created.
package struct ColdSite<Document: BenchDocument> {
  package let entry: BackendEntry<Document>
  package let store: StoreContext
  /// When the timed work began, in nanoseconds of the monotonic clock.
  package let began = MonotonicClock().now()

  /// Nanoseconds since the work began.
  package var elapsed: UInt64 { MonotonicClock().now() - began }

  /// Opens the store. Opening is part of the work.
  package func open() throws -> any Backend<Document> { try entry.open(store) }
}
