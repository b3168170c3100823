import BackendKit
import BenchDocuments
import BenchProbes
import Foundation

/// A workload of which a part is done in fresh processes, as an app does it right after its launch.
///
/// A fresh process is spawned, never forked from one that is warm, and the store's files are not in
/// the page cache: they are dropped from it (``PageCache``), what stayed is counted, and where that is
/// more than a little nothing is measured. The executable is cached. The process has neither
/// the document nor the plan, only a store that was closed before: so the document must be there
/// before the first iteration (``Workload/beginsStored``).
package protocol ColdWorkload<Document>: Workload {
  /// What a fresh process found and measured.
  associatedtype Finding: Codable & Sendable
  /// The phases that fresh processes alone give figures of.
  var coldPhases: [Phase] { get }
  /// How many fresh processes a timed block starts, one after another; where they take long, fewer.
  var coldStarts: Int { get }
  /// How many a block that measures memory starts, for what is noted besides times.
  var residentStarts: Int { get }
  /// What the fresh process of a number, from 0, is told: the workload's own whole numbers.
  func order(_ number: Int, by plan: Plan) -> [Int]
  /// Whether the store's files are taken out of the page cache before a process with this order.
  func meetsNoCachedPages(_ order: [Int]) -> Bool
  /// Whether a process with this order is ended by SIGKILL as soon as its work is done, as a crash would
  /// end it: it closes nothing.
  func dies(after order: [Int]) -> Bool
  /// Does the work in the fresh process.
  ///
  /// - Throws: whatever keeps it from being done; the cell then has no figures.
  func work(_ order: [Int], on site: ColdSite<Document>) throws -> Finding
  /// Checks what a fresh process found of its order, and gives what it measured; done where it was
  /// started from.
  ///
  /// - Throws: ``WorkloadFailure`` where it is wrong.
  func notes(of finding: Finding, _ order: [Int], by plan: Plan) throws -> [PhaseNote]
}

extension ColdWorkload {
  /// None: there are times alone.
  package var residentStarts: Int { 0 }
  /// The store's files are dropped from the page cache, as if the device had just been restarted.
  package func meetsNoCachedPages(_ order: [Int]) -> Bool { true }
  /// It ends by itself.
  package func dies(after order: [Int]) -> Bool { false }
}

extension Phase {
  /// From the moment before a fresh process is spawned to that at which it may open its store: the
  /// system's part, the loader's, the runtime's and our command line's. No other phase has a share.
  package static let start = Phase("start")
}

/// The store that a fresh process works on; its time begins when this is made.
package struct ColdSite<Document: BenchDocument> {
  package let entry: BackendEntry<Document>
  package let store: StoreContext
  /// The moment from which the work is timed, on the system's steady clock.
  package let began = MonotonicClock().now()

  /// Nanoseconds since the work began.
  package var elapsed: UInt64 { MonotonicClock().now() - began }

  /// Opens the store, which is part of the work.
  package func open() throws -> any Backend<Document> { try entry.open(store) }
}
