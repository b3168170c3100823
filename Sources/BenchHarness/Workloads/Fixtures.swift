import MenuModel

/// A document with its fingerprint, taken once.
public struct Fixture<Document: BenchDocument>: Sendable {
  /// What is stored.
  public let document: Document
  /// The fingerprint that everything decoded must have.
  public let fingerprint: Checksum

  /// Takes the fingerprint of a document.
  public init(_ document: Document) {
    self.document = document
    fingerprint = document.fingerprint
  }
}

/// Two documents of one size, given out in turn: a store that finds "nothing changed" and writes
/// nothing would otherwise look fast.
final class Fixtures<Document: BenchDocument> {
  /// The document asked for, then its next revision.
  let both: [Fixture<Document>]
  private var given = 0

  init(_ document: Document) {
    both = [Fixture(document), Fixture(document.nextRevision())]
  }

  /// The one given out last; the first before any was.
  var latest: Fixture<Document> { both[max(given - 1, 0) % 2] }

  /// The one whose turn it is.
  func next() -> Fixture<Document> {
    given += 1
    return latest
  }
}
