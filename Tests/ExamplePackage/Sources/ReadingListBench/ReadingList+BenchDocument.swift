import BenchCLI

/// What a bench must know of a document: its content, its next revision, and how much it holds.
extension ReadingList: BenchDocument {
  func visit(_ checksum: inout Checksum) {
    checksum.add(owner)
    checksum.add(revision)
    checksum.addAll(shelves) { shelf, checksum in
      checksum.add(shelf.name)
      checksum.addAll(shelf.books) { $0.visit(&$1) }
    }
  }

  func nextRevision() -> ReadingList {
    var next = self
    next.revision ^= 1
    return next
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
