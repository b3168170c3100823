import BenchResults

/// What makes a run's figures mean something, as names and texts for formats that keep such pairs; an
/// unknown is absent.
struct RunFact {
  /// Lower-case words with underscores.
  var id: String
  var value: String
  /// Whether times compare only where it agrees: see `Machine.timeKey`.
  var keysTimes = false

  /// The known facts.
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
      ("instruction_counter", machine.instructionCounter, false), ("build", machine.build, true),
    ]
    return facts.compactMap { fact in
      fact.value.map { RunFact(id: fact.id, value: $0, keysTimes: fact.keysTimes) }
    }
  }
}
