import BenchAnalysis
import BenchResults

/// A format for reports: one file in `Formats/`, one line in `ReporterRegistry`.
package protocol Reporter: Sendable {
  /// The stable id that `--format` takes.
  var id: String { get }
  /// The name of its file in a folder of reports, or nil if it is only shown.
  var fileName: String? { get }
  /// Its purpose, in one line.
  var summary: String { get }

  /// Returns the whole text, ending in a line break.
  ///
  /// - Throws: If the format cannot express what the report holds.
  func render(_ report: Report) throws -> String
}

extension Reporter {
  /// Nil: a report of this format is only made on request.
  package var fileName: String? { nil }
}

/// A fact needed to interpret a run's figures, as a name and a text, for formats that keep such
/// pairs. Unknown facts are absent.
struct RunFact {
  /// Lower-case words with underscores.
  let id: String
  let value: String
  /// Whether times are only compared if this fact agrees: see `Comparability`.
  let keysTimes: Bool

  static func all(_ record: RunRecord) -> [RunFact] {
    let machine = record.machine
    let facts: [(id: String, value: String?, keysTimes: Bool)] = [
      ("tool", "\(record.tool.name) \(record.tool.version)", false),
      ("revision", record.tool.revision, false), ("started", record.settings.started, false),
      ("cpu", machine.cpu, true), ("cores", machine.cores.map(String.init), true),
      ("memory_bytes", machine.memoryBytes.map(String.init), false),
      ("system", machine.system, true), ("kernel", machine.kernel, false),
      ("file_system", record.settings.fileSystem, false), ("swift", machine.swift, true),
      ("sqlite", machine.sqlite, false), ("allocator", machine.allocator, true),
      ("counting_allocator", machine.countingAllocator, false),
      ("instruction_counter", machine.instructionCounter, false), ("build", machine.build, true),
    ]
    let tags = (record.settings.tags ?? [:]).sorted { $0.key < $1.key }
    return facts.compactMap { fact in
      fact.value.map { RunFact(id: fact.id, value: $0, keysTimes: fact.keysTimes) }
    } + tags.map { RunFact(id: "tag_\($0.key)", value: $0.value, keysTimes: false) }
  }
}
