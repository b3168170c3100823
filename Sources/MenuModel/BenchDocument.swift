/// A value that backends store and workloads check: a menu, or a team's own document type.
public protocol BenchDocument: Codable, Equatable, Sendable {
  /// Feeds every part of the value, however deep, to a checksum.
  ///
  /// Called on everything that was decoded, so that a lazy decoder pays its debt, and to name a
  /// document by its content. Feed counts and absent values too: two documents that differ must
  /// feed different sequences.
  func visit(_ checksum: inout Checksum)

  /// A document of the same size that differs: what would be stored next.
  ///
  /// Stores are given two in turn, so that none can pass by finding that nothing changed.
  func nextRevision() -> Self

  /// The document as it is some changes later: of about the same size, with parts gone, come and
  /// changed. 0 gives the document itself; one number always gives an equal document.
  ///
  /// Stores that grow while revisions are stored over each other show it only where these differ in
  /// more than a number. Unless made by the document it is itself and its next revision in turn.
  func revised(_ number: Int) -> Self

  /// How many of each thing it holds, in the order to show them in.
  var counts: [(of: String, count: Int)] { get }
}

extension BenchDocument {
  /// Itself, and its next revision for odd numbers.
  public func revised(_ number: Int) -> Self {
    number.isMultiple(of: 2) ? self : nextRevision()
  }

  /// A checksum of the whole content: equal content, equal value, on every platform.
  public var fingerprint: Checksum {
    var checksum = Checksum()
    visit(&checksum)
    return checksum
  }
}
