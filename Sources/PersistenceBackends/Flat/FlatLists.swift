/// Arrays made from the records of one section: a list that the file keeps once is made once, and
/// its storage shared.
struct FlatLists<Record: FlatRecord, Element> {
  private let section: FlatSection<Record>
  /// The arrays made, by where their records begin.
  private var made: [[Element]]

  init(_ section: FlatSection<Record>) {
    self.section = section
    made = Array(repeating: [], count: section.count)
  }

  /// The array of some records.
  @inline(__always)
  mutating func list(
    _ range: FlatRange, _ element: (Record) throws -> Element
  ) throws -> [Element] {
    guard range.count > 0 else { return [] }
    let run = try section.run(range)
    let place = Int(range.start)
    if made[place].count == run.count { return made[place] }
    let list = try array(run, element)
    made[place] = list
    return list
  }
}

/// An array with an element for each of some records.
@inline(__always)
func array<Record: FlatRecord, Element>(
  _ records: FlatRun<Record>, _ element: (Record) throws -> Element
) throws -> [Element] {
  guard records.count > 0 else { return [] }
  return try Array(unsafeUninitializedCapacity: records.count) { buffer, count in
    while count < records.count {
      buffer.initializeElement(at: count, to: try element(records[count]))
      count += 1
    }
  }
}
