import BenchCLI

/// The reading lists that `--menu small,large` names, each with a seed of its own.
struct ReadingListSource: DocumentSource {
  let presets = [
    (name: "small", summary: "a year of reading: 4 shelves, 40 books"),
    (name: "large", summary: "a life of reading: 40 shelves, 4,000 books"),
  ]

  /// Callgrind counts instructions with this one.
  var quickPreset: String? { "small" }

  func load(_ name: String) throws -> LoadedDocument<ReadingList> {
    switch name {
    case "small": generated(name, shelves: 4, books: 10, seed: 1)
    case "large": generated(name, shelves: 40, books: 100, seed: 2)
    default: throw unknown(name)
    }
  }

  private func generated(
    _ name: String, shelves: Int, books: Int, seed: UInt64
  ) -> LoadedDocument<ReadingList> {
    var generator = ReadingListGenerator(seed: seed)
    return LoadedDocument(
      name: name, origin: "generated: \(shelves) shelves of \(books) books, seed \(seed)",
      document: generator.list(shelves: shelves, books: books))
  }
}
