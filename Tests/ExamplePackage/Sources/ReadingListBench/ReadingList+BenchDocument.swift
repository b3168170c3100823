import BenchCLI

/// The facts of a document that a bench needs: its content, its revisions, and its size.
extension ReadingList: BenchDocument {
  func visit(_ checksum: inout Checksum) {
    checksum.add(owner)
    checksum.add(revision)
    checksum.addAll(shelves) { shelf, checksum in
      checksum.add(shelf.name)
      checksum.addAll(shelf.books) { $0.visit(&$1) }
    }
  }

  /// Makes the changes of some days: one book in ten goes, every seventh gets a note, and some books
  /// are read and rated.
  func revised(_ number: Int) -> ReadingList {
    guard number != 0 else { return self }
    var list = self
    list.revision += number
    for index in list.shelves.indices {
      let books = list.shelves[index].books.enumerated()
      list.shelves[index].books = books.compactMap { place, book in
        (place + number).isMultiple(of: 10) ? nil : book.revised(by: place + number)
      }
    }
    return list
  }

  var counts: [(of: String, count: Int)] {
    let books = shelves.flatMap(\.books)
    return [
      ("shelves", shelves.count), ("books", books.count),
      ("notes", books.reduce(0) { $0 + $1.notes.count }),
    ]
  }
}

extension Book {
  fileprivate func revised(by number: Int) -> Book {
    var book = self
    if number.isMultiple(of: 7) {
      book.notes.append(Note(page: nil, text: "read again on day \(number)"))
    }
    if number.isMultiple(of: 5) { book.rating = rating.map { 6 - $0 } ?? 4 }
    return book
  }

  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(title)
    checksum.add(subtitle)
    checksum.addAll(authors) { $1.add($0) }
    checksum.add(pages)
    checksum.add(rating)
    checksum.addAll(notes) { note, checksum in
      checksum.add(note.page)
      checksum.add(note.text)
    }
  }
}
