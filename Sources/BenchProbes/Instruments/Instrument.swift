import Basics
import BenchResults

/// A counter that is read before and after a phase, such as the allocator's.
///
/// Readings happen outside the timed part, but the phase's own counts must not include them. `begin`
/// and `end` therefore neither allocate nor throw. An instrument watches one phase at a time.
package protocol Instrument: AnyObject {
  /// The metrics in the order in which ``store(into:)`` writes them. They never change.
  var metrics: [Metric] { get }

  /// The reason for a value written as infinite, or nil if the instrument never refuses a value.
  var refusal: String? { get }

  func begin()

  /// Takes the reading after the phase, quickly and without effects that another instrument counts.
  func end()

  /// Writes one value for each metric, after all instruments have ended.
  ///
  /// Writes NaN for a failed reading, which ``Sampler`` counts as lost and never reports. Writes
  /// infinity for a value that says nothing about the phase, which is refused.
  func store(into values: UnsafeMutablePointer<Double>)
}

extension Instrument {
  package var refusal: String? { nil }
}

/// Returns the change of a counter, or NaN if a reading failed.
///
/// The difference wraps instead of trapping, since counters wrap too.
func difference<Counter: FixedWidthInteger>(_ before: Counter?, _ after: Counter?) -> Double {
  guard let before, let after else { return .nan }
  return Double(after &- before)
}

/// The reason why this machine or this build cannot measure a metric.
package struct Unsupported: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason in words, without a full stop, such as `no /proc/self/io here`.
  package let reason: String

  package init(_ reason: String) {
    self.reason = reason
  }

  package var description: String { reason }

  /// Returns a refusal with the system's message for `errno`.
  static func systemError(_ what: String, code: Int32 = errno) -> Unsupported {
    Unsupported("\(what): \(errnoMessage(code))")
  }
}

/// A kind of instrument, which may be missing on this machine or in this build.
///
/// Instruments begin in the order of the cases, the outermost first. If one would count the
/// beginning of another, it is inside it. The most delicate instrument is next to the phase.
package enum Probe: String, CaseIterable, Sendable {
  /// Touched pages of the store's files. Reads and writes several files of `/proc`.
  case touchedPages
  /// The peak of resident memory. Its beginning writes to `/proc`, which file I/O must not count.
  case residentPeak
  /// Bytes and calls of reads and writes.
  case fileIO
  /// Allocations, allocated bytes and the peak of live bytes.
  case allocator
  case pageFaults
  /// Instructions retired in user space.
  case instructions
  case cpu
  /// The probes whose metrics are equal in two runs of one build.
  package static let exact: [Probe] = allCases.filter { $0.metrics.allSatisfy(\.isExact) }
  /// The probes of every phase in blocks that count, including those under a counting allocator.
  package static let counted: [[Probe]] = [exact]
  /// The probes of blocks that observe the allocator used for times. Probes of one group share
  /// iterations. Probes that would disturb each other are in different groups.
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
