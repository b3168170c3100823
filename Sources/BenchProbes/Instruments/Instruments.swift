import Basics
import BenchResults

/// The instruments that work here, and the reasons why the others do not.
package struct Instruments {
  /// The instruments that work, in the order in which they begin.
  package let available: [any Instrument]
  /// The reason for each metric that cannot be measured, by the metric's id.
  package let unsupported: [String: String]

  /// Creates the instruments of these probes, in the order of ``Probe``. Duplicates are ignored.
  ///
  /// - Parameter folder: the folder of the files whose pages are counted.
  package init(_ probes: some Sequence<Probe>, folder: String = ".") {
    let wanted = Set(probes)
    var available: [any Instrument] = []
    var unsupported: [String: String] = [:]
    for probe in Probe.allCases where wanted.contains(probe) {
      do throws(Unsupported) {
        available.append(try probe.instrument(folder: folder))
      } catch {
        for metric in probe.metrics { unsupported[metric.id] = error.reason }
      }
    }
    self.available = available
    self.unsupported = unsupported
  }
}

extension Probe {
  /// Creates the instrument. It watches the calling thread.
  ///
  /// - Throws: ``Unsupported`` with the reason if it does not work here.
  package func instrument(folder: String) throws(Unsupported) -> any Instrument {
    switch self {
    case .residentPeak: try ResidentPeak()
    case .fileIO: try FileIO()
    case .allocator: AllocatorInstrument(try JemallocCounters())
    case .pageFaults: PageFaults()
    case .instructions: try Self.instructionCounter()
    case .cpu: CPUTime()
    case .touchedPages: try TouchedPages(of: folder)
    }
  }

  /// Prefers Callgrind if it is running: under valgrind the processor's counter would include
  /// valgrind's own instructions.
  private static func instructionCounter() throws(Unsupported) -> any Instrument {
    if CallgrindInstructions.isRunning { return try CallgrindInstructions() }
    do {
      return try Instructions()
    } catch {
      throw Unsupported(
        "\(error.reason), and not under Callgrind, which --metrics instructions uses")
    }
  }
}
