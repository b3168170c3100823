/// Where the first record of every id stands, by a hash while a menu is encoded, sorted by id in the
/// file.
struct FlatIndexWriter {
  private var entries: [FlatIndexEntry] = []
  private var known = FlatTable()

  /// Notes a record; of several of one id the first counts.
  mutating func add(_ id: Int, _ record: Int) {
    let hash = FlatHash.hash(id)
    guard known.find(hash, { entries[Int($0)].id == id }) == nil else { return }
    known.insert(hash, UInt32(truncatingIfNeeded: entries.count))
    entries.append(FlatIndexEntry(id: id, record: UInt32(truncatingIfNeeded: record)))
  }

  /// The record of an id; ``FlatFormat/none`` where there is none.
  func record(of id: Int) -> UInt32 {
    let found = known.find(FlatHash.hash(id)) { entries[Int($0)].id == id }
    return found.map { entries[Int($0)].record } ?? FlatFormat.none
  }

  /// The index as a section. Ids that come in order already are not sorted.
  func sorted() -> FlatWriter<FlatIndexEntry> {
    var section = FlatWriter<FlatIndexEntry>(capacity: entries.count)
    let isSorted = zip(entries, entries.dropFirst()).allSatisfy { $0.id < $1.id }
    for entry in isSorted ? entries : entries.sorted(by: { $0.id < $1.id }) {
      section.append(entry)
    }
    return section
  }
}
