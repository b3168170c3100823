import BenchResults

/// A kind of instrument, which this machine and this build may or may not have.
///
/// The order of the cases is the order in which instruments begin, the outermost first: one whose
/// beginning another would count stands outside it, the most delicate stands next to the phase.
public enum Probe: String, CaseIterable, Sendable {
  /// The most resident memory; its beginning writes to `/proc`, so file I/O must not see it.
  case residentPeak
  /// Bytes and calls read and written.
  case fileIO
  /// Allocations, allocated bytes and the peak of live bytes.
  case allocator
  /// Page faults.
  case pageFaults
  /// Instructions retired in user space.
  case instructions
  /// CPU time.
  case cpu

  /// The probes whose metrics are the same in two runs of one build.
  public static let exact: [Probe] = allCases.filter { $0.metrics.allSatisfy(\.isExact) }

  /// What it measures.
  public var metrics: [Metric] {
    switch self {
    case .residentPeak: [.peakRSSBytes]
    case .fileIO: [.readBytes, .writtenBytes, .readCalls, .writeCalls]
    case .allocator: [.allocations, .allocatedBytes, .peakHeapBytes]
    case .pageFaults: [.pageFaults]
    case .instructions: [.instructions]
    case .cpu: [.cpu]
    }
  }

  /// Makes the instrument; the calling thread is the one that it watches.
  ///
  /// - Throws: ``Unsupported`` with the reason, when it does not work here.
  public func instrument() throws(Unsupported) -> any Instrument {
    switch self {
    case .residentPeak: try ResidentPeak()
    case .fileIO: try FileIO()
    case .allocator: AllocatorInstrument(try JemallocCounters())
    case .pageFaults: PageFaults()
    case .instructions: try Self.instructionCounter()
    case .cpu: CPUTime()
    }
  }

  /// Under Callgrind the processor's counter would count valgrind's own instructions, so Callgrind
  /// goes first where it runs.
  private static func instructionCounter() throws(Unsupported) -> any Instrument {
    if CallgrindInstructions.isRunning { return try CallgrindInstructions() }
    do {
      return try Instructions()
    } catch {
      throw Unsupported(
        "\(error.reason); not under Callgrind, by which --metrics instructions counts")
    }
  }
}
