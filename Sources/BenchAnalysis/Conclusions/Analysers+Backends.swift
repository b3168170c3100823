import BenchResults

/// What to know of the backends and metrics of the run.
extension Analysers {
  /// What a reader of a backend's figures must know.
  @Sendable static func caveats(_ evidence: Evidence) -> [Conclusion] {
    let measured = Set(evidence.record.cells.map(\.cell.backend))
    var seen: Set<String> = []
    return evidence.record.backends.compactMap { backend in
      guard let caveat = backend.caveat, measured.contains(backend.id),
        seen.insert(backend.id).inserted
      else { return nil }
      return Conclusion(
        .hint, caveat.hasPrefix("\(backend.id) ") ? caveat : "\(backend.id): \(caveat)")
    }
  }

  /// Metrics that could not be had: of the machine, or of single backends, which are named.
  @Sendable static func unsupported(_ evidence: Evidence) -> [Conclusion] {
    let machine = Set(
      evidence.record.machine.unsupported.map { Lack(metric: $0.key, reason: $0.value) })
    let series = evidence.record.cells.compactMap { series in
      series.unsupported.map {
        (backend: series.cell.backend, lack: Lack(metric: series.metric.id, reason: $0))
      }
    }
    let backends = Dictionary(grouping: series, by: \.lack).mapValues { Set($0.map(\.backend)) }
    let all = Set(evidence.record.cells.map(\.cell.backend))
    return machine.union(backends.keys).sorted().map { lack in
      let lacking = backends[lack] ?? []
      let isGeneral = machine.contains(lack) || (all.count > 1 && lacking == all)
      let who = isGeneral ? "" : "\(Wording.list(lacking.sorted())): "
      let place = isGeneral ? " here" : ""
      return Conclusion(.hint, "\(who)\(lack.metric) is unsupported\(place): \(lack.reason)")
    }
  }

  /// A metric that could not be had, and why.
  private struct Lack: Hashable, Comparable {
    var metric: String
    var reason: String

    static func < (left: Lack, right: Lack) -> Bool {
      (left.metric, left.reason) < (right.metric, right.reason)
    }
  }
}
