import Basics
import BenchResults

/// Something that is read before and after a phase, such as the allocator's counters.
///
/// Readings happen around the timed part but the phase's own counts must not see them, so `begin`
/// and `end` neither allocate nor throw. An instrument watches one phase at a time.
package protocol Instrument: AnyObject {
  /// What it measures, in the order in which ``store(into:)`` writes; the same on every call.
  var metrics: [Metric] { get }

  /// Why a value that it wrote as infinite is refused; nil where it never refuses one.
  var refusal: String? { get }

  func begin()

  /// Takes the reading after the phase, soon and without effects that another instrument counts.
  func end()

  /// Writes one value for each metric, once every instrument has ended.
  ///
  /// A reading that failed is written as NaN; ``Sampler`` counts it as lost and never reports it. One
  /// that says nothing of the phase is written as infinite, and refused.
  func store(into values: UnsafeMutablePointer<Double>)
}

extension Instrument {
  package var refusal: String? { nil }
}

/// What a counter moved by, or NaN where either reading failed.
///
/// Counters wrap, so the difference does too, instead of trapping.
func difference<Counter: FixedWidthInteger>(_ before: Counter?, _ after: Counter?) -> Double {
  guard let before, let after else { return .nan }
  return Double(after &- before)
}

/// Why this machine or this build cannot give a metric.
package struct Unsupported: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, without a full stop: `no /proc/self/io here`.
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  package var description: String { reason }

  /// A refusal with what the system said, read from `errno`.
  static func systemError(_ what: String, code: Int32 = errno) -> Unsupported {
    Unsupported("\(what): \(errnoMessage(code))")
  }
}

/// A kind of instrument, which this machine and this build may or may not have.
///
/// The order of the cases is the order in which instruments begin, the outermost first: one whose
/// beginning another would count stands outside it, the most delicate stands next to the phase.
package enum Probe: String, CaseIterable, Sendable {
  /// Pages of the store's files looked at; it reads and writes several files of `/proc`.
  case touchedPages
  /// The most resident memory; its beginning writes to `/proc`, so file I/O must not see it.
  case residentPeak
  /// Bytes and calls read and written.
  case fileIO
  /// Allocations, allocated bytes and the peak of live bytes.
  case allocator
  case pageFaults
  /// Instructions retired in user space.
  case instructions
  case cpu
  /// The probes whose metrics are the same in two runs of one build.
  package static let exact: [Probe] = allCases.filter { $0.metrics.allSatisfy(\.isExact) }
  /// The probes of every phase in blocks that count, under an allocator that counts, too.
  package static let counted: [[Probe]] = [exact]
  /// The probes of blocks that see what the allocator of times does. Those of a group share
  /// iterations; what would disturb each other is apart.
  package static let resident: [[Probe]] = [[.pageFaults, .instructions], [.residentPeak]]

  package var metrics: [Metric] {
    switch self {
    case .residentPeak: [.peakRSSBytes]
    case .fileIO: [.readBytes, .writtenBytes, .readCalls, .writeCalls]
    case .allocator: [.allocations, .allocatedBytes, .peakHeapBytes]
    case .pageFaults: [.pageFaults]
    case .instructions: [.instructions]
    case .cpu: [.cpu]
    case .touchedPages: [.touchedBytes]
    }
  }
}
