import BenchAnalysis
import BenchResults

/// A format that a report can be had in: one file in `Formats/`, one line in `ReporterRegistry`.
package protocol Reporter: Sendable {
  /// The stable id, as typed after `--format`.
  var id: String { get }
  /// The name of the file that a folder of reports keeps it in; nil where it is only shown.
  var fileName: String? { get }
  /// What it is for, in one line.
  var summary: String { get }

  /// The whole text, ending in a line break.
  ///
  /// - Throws: Where the format has no way to say what the report holds.
  func render(_ report: Report) throws -> String
}

extension Reporter {
  /// None: it is made where it is asked for.
  package var fileName: String? { nil }
}

/// What makes a run's figures mean something, as names and texts for formats that keep such pairs; an
/// unknown is absent.
struct RunFact {
  /// Lower-case words with underscores.
  let id: String
  let value: String
  /// Whether times compare only where it agrees: see `Comparability`.
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
