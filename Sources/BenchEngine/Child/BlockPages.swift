import BackendKit
import BenchProbes
import BenchResults

/// What phases that read a part of a store look at for it.
extension Block {
  /// The pages of the store's files that they look at, and what of it was of use, in a pass of its own.
  ///
  /// What the storage caches by itself is emptied before each phase: a page that it keeps a copy of would
  /// count for nobody but those who leave that to the system.
  func touched() throws -> [Series] {
    let phases = workload.phases.enumerated().filter {
      $0.element.isPart && workload.measures($0.element, on: backend)
    }
    let metrics = [Metric.touchedBytes.id, Metric.usefulBytes.id]
    guard request.metrics?.isDisjoint(with: metrics) != true, !phases.isEmpty else { return [] }
    if let reason = refusals[Metric.touchedBytes.id] {
      return phases.flatMap { missing([Metric.touchedBytes.id: reason], $0.element.id) }
    }
    announce("counting pages")
    let instruments = Instruments([.touchedPages], folder: store.folder)
    let sampler = sampler(instruments.available)
    var emptied = Result<Void, any Error>.success(())
    let site = site(.counting(sampler)) { _ in
      if case .success = emptied { emptied = Result { try backend.dropCaches() } }
    }
    for _ in 0..<countedRevolutions { try revolve(site, sampler) }
    try emptied.get()
    return try phases.flatMap { index, phase in
      try counted(phase.id, sampler.series(phase: index))
        + missing(instruments.unsupported, phase.id)
    } + noted(site) { $0 == .usefulBytes }
  }
}
