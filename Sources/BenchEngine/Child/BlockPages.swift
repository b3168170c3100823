import BackendKit
import BenchProbes
import BenchResults

/// Counting pages for phases that read a part of the store.
extension Block {
  /// Counts which pages of the store's files the phases touch, and how much of them was useful, in
  /// a separate pass.
  ///
  /// The storage's own cache is emptied before each phase. Otherwise cached pages would only count
  /// for backends that leave caching to the system.
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
