import BenchResults

/// The instruments that could be had, and why the others could not.
public struct Instruments {
  /// What works here, in the order in which to begin.
  public let available: [any Instrument]
  /// Ids of the metrics that cannot be given, each with the reason.
  public let unsupported: [String: String]

  /// Makes the instruments of these probes, whatever their order and however often each is named.
  public init(_ probes: some Sequence<Probe>) {
    let wanted = Set(probes)
    var available: [any Instrument] = []
    var unsupported: [String: String] = [:]
    for probe in Probe.allCases where wanted.contains(probe) {
      do throws(Unsupported) {
        available.append(try probe.instrument())
      } catch {
        for metric in probe.metrics { unsupported[metric.id] = error.reason }
      }
    }
    self.available = available
    self.unsupported = unsupported
  }
}
