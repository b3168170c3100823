import BenchDocuments
import BenchEngine
import BenchReports
import BenchResults
import PersistenceBackends

/// What there is to choose from, for scripts: a list of each kind, an object a thing.
struct ListJSON<Document: BenchDocument> {
  let suite: Suite<Document>

  /// The document, with the kinds asked for.
  func text(_ kinds: [ListKind]) throws -> String {
    let members = kinds.map { ($0.rawValue, JSONValue.list(elements(of: $0))) }
    return try JSONValue.document(
      "list", by: ToolInfo.tool(), Dictionary(members, uniquingKeysWith: { $1 }))
  }

  private func elements(of kind: ListKind) -> [JSONValue] {
    switch kind {
    case .backends: suite.backends.map(backend)
    case .codecs: suite.codecs.map { named($0.id, $0.summary, ["caveat": JSONValue($0.caveat)]) }
    case .places:
      suite.places.map {
        named(
          $0.id, $0.summary,
          [
            "caveat": JSONValue($0.caveat), "survives_restart": .bool($0.survivesRestart),
          ])
      }
    case .pairs: pairs
    case .menus: suite.source.presets.map { named($0.name, $0.summary, [:]) }
    case .workloads:
      suite.workloads.map { workload in
        named(
          workload.name, workload.summary,
          [
            "phases": JSONValue(workload.phases.map(\.id)), "settings": settings(of: workload),
          ])
      }
    case .durabilities: Durability.allCases.map { named($0.rawValue, $0.meaning, [:]) }
    case .formats: ReporterRegistry.all.map { named($0.id, $0.summary, [:]) }
    case .metrics:
      Metric.all.map {
        .object([
          "id": .text($0.id), "unit": .text($0.unit.rawValue), "better": .text($0.better.rawValue),
          "is_exact": .bool($0.isExact),
        ])
      }
    }
  }

  private func named(_ id: String, _ summary: String, _ more: [String: JSONValue]) -> JSONValue {
    .object(more.merging(["id": .text(id), "summary": .text(summary)]) { $1 })
  }

  private func settings(of workload: some Workload<Document>) -> JSONValue {
    .list(
      type(of: workload).parameters.map {
        .object([
          "name": .text($0.name), "summary": .text($0.summary), "standard": .text($0.standard),
          "values": .text($0.values),
        ])
      })
  }

  private func backend(_ entry: BackendEntry<Document>) -> JSONValue {
    named(
      entry.id, entry.summary,
      [
        "caveat": JSONValue(entry.caveat), "codec": JSONValue(entry.pair?.codec),
        "place": JSONValue(entry.pair?.place),
        "promises": JSONValue(entry.promises.map(\.rawValue)),
        "survives_restart": .bool(entry.survivesRestart),
        "below_floor": .object(entry.belowFloor.mapValues(JSONValue.text)),
        "libraries": .list(entry.libraries.map(library)),
        "settings": .list(
          entry.settings.map { .object(["name": .text($0.name), "summary": .text($0.summary)]) }),
        "advice": .list(
          entry.advice.map {
            .object(["says": .text($0.says), "here": .text($0.here), "source": .text($0.source)])
          }),
      ])
  }

  private func library(_ library: Library) -> JSONValue {
    .object([
      "name": .text(library.name), "licence": .text(library.licence),
      "adds_bytes": JSONValue(library.size?.total),
    ])
  }

  private var pairs: [JSONValue] {
    suite.codecs.flatMap { codec in
      suite.places.map { place in
        let pair = CodecAndPlace(codec: codec.id, place: place.id)
        return .object([
          "id": .text(pair.description), "codec": .text(codec.id), "place": .text(place.id),
          "backend": JSONValue(suite.backends.first { $0.pair == pair }?.id),
        ])
      }
    }
  }
}
