/// Reads what ``LineWriter`` wrote, in one pass over the bytes. Refuses everything else.
struct LineReader {
  /// The lines below.
  private var rest: Slice<UnsafeRawBufferPointer>
  private var line: LineFields
  private var count = 0

  init(_ bytes: UnsafeRawBufferPointer) throws(MalformedLine) {
    rest = bytes[...]
    line = try Self.line(1, of: &rest)
  }

  /// The whole list.
  mutating func list() throws(MalformedLine) -> ReadingList {
    guard line.tag == LineWriter.header else { throw line.malformed("no \(LineWriter.header)") }
    var list = ReadingList(owner: try line.text(), revision: try line.number(), shelves: [])
    try next()
    while line.tag == "shelf" { list.shelves.append(try shelf()) }
    guard line.tag == "end" else { throw line.malformed("'\(line.tag.prefix(40))' out of place") }
    let announced: Int = try line.number()
    try finish(after: announced)
    return list
  }

  private mutating func shelf() throws(MalformedLine) -> FilterQuery {
    count += 1
    var shelf = FilterQuery(name: try line.text(), books: [])
    try next()
    while line.tag == "book" { shelf.books.append(try book()) }
    return shelf
  }

  private mutating func book() throws(MalformedLine) -> Book {
    count += 1
    var book = Book(
      title: try line.text(), subtitle: try line.optionalText(), authors: [],
      pages: try line.number(), rating: try line.optionalNumber(), notes: [])
    while !line.isAtEnd { book.authors.append(try line.text()) }
    try next()
    while line.tag == "note" { book.notes.append(try note()) }
    return book
  }

  private mutating func note() throws(MalformedLine) -> Note {
    count += 1
    let note = Note(page: try line.optionalNumber(), text: try line.text())
    try next()
    return note
  }

  private func finish(after announced: Int) throws(MalformedLine) {
    try line.end()
    guard announced == count else {
      throw line.malformed("\(announced) things announced, \(count) found")
    }
    guard rest.isEmpty else { throw line.malformed("\(rest.count) bytes after the end") }
  }

  /// Leaves a line, all of whose fields must be taken, for the one below it.
  private mutating func next() throws(MalformedLine) {
    try line.end()
    line = try Self.line(line.lineNumber + 1, of: &rest)
  }

  private static func line(
    _ number: Int, of rest: inout Slice<UnsafeRawBufferPointer>
  ) throws(MalformedLine) -> LineFields {
    guard let end = rest.firstIndex(of: 0x0A) else {
      throw MalformedLine(description: "line \(number): the text ends before the list does")
    }
    defer { rest = rest[(end + 1)...] }
    return try LineFields(rest[..<end], lineNumber: number)
  }
}
