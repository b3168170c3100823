/// Writes a reading list as lines: a tag, then fields, tabs between them.
///
/// ```
/// reading-list 1⇥owner⇥revision
/// shelf⇥name
/// book⇥title⇥subtitle⇥pages⇥rating⇥author⇥author…
/// note⇥page⇥text
/// end⇥number of shelves, books and notes
/// ```
///
/// Escapes and the absent value are those of PostgreSQL's COPY text format: `\t`, `\n`, `\\`, `\N`.
struct LineWriter {
  /// The format's name and version, by which a reader knows it.
  static let header = "reading-list 1"

  private(set) var text = ""
  private var count = 0

  mutating func write(_ list: ReadingList) {
    text += Self.header
    add(list.owner)
    add(number: list.revision)
    for shelf in list.shelves {
      begin("shelf")
      add(shelf.name)
      for book in shelf.books { write(book) }
    }
    text += "\nend\t\(count)\n"
  }

  private mutating func write(_ book: Book) {
    begin("book")
    add(book.title)
    add(book.subtitle)
    add(number: book.pages)
    add(number: book.rating)
    for author in book.authors { add(author) }
    for note in book.notes {
      begin("note")
      add(number: note.page)
      add(note.text)
    }
  }

  private mutating func begin(_ tag: String) {
    count += 1
    text += "\n"
    text += tag
  }

  private mutating func add(number: (some LosslessStringConvertible)?) {
    text += "\t"
    text += number?.description ?? "\\N"
  }

  private mutating func add(_ field: String?) {
    text += "\t"
    guard let field else { return text += "\\N" }
    let isPlain = field.utf8.allSatisfy { $0 != 0x09 && $0 != 0x0A && $0 != 0x5C }
    if isPlain { text += field } else { escape(field) }
  }

  private mutating func escape(_ field: String) {
    for scalar in field.unicodeScalars {
      switch scalar {
      case "\t": text += "\\t"
      case "\n": text += "\\n"
      case "\\": text += "\\\\"
      default: text.unicodeScalars.append(scalar)
      }
    }
  }
}
