import Basics
import BenchResults

/// The instruments that could be had, and why the others could not.
package struct Instruments {
  /// What works here, in the order in which to begin.
  package let available: [any Instrument]
  /// Ids of the metrics that cannot be given, each with the reason.
  package let unsupported: [String: String]

  /// Makes the instruments of these probes, whatever their order and however often each is named.
  ///
  /// - Parameter folder: where the files are whose pages are counted.
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
  /// Makes the instrument; the calling thread is the one that it watches.
  ///
  /// - Throws: ``Unsupported`` with the reason, when it does not work here.
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
