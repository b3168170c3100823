import BackendKit
import BenchDocuments
import BenchResults
import Foundation

/// A document with its precomputed fingerprint.
public struct Fixture<Document: BenchDocument>: Sendable {
  /// The document to store.
  public let document: Document
  /// The fingerprint that every decoded copy must have.
  public let fingerprint: Checksum

  /// Computes the fingerprint of a document.
  public init(_ document: Document) {
    self.document = document
    fingerprint = document.fingerprint
  }
}

/// Two documents of about the same size that are used alternately. They differ as real revisions do. With
/// equal or nearly equal documents, a store that writes only the changes would look too fast.
package final class Fixtures<Document: BenchDocument> {
  /// The requested document, then its revision 1.
  package let both: [Fixture<Document>]
  private var given = 0

  package init(_ document: Document) {
    both = [Fixture(document), Fixture(document.revised(1))]
  }

  /// The document returned last, or the first one before any call of ``next()``.
  package var latest: Fixture<Document> { both[max(given - 1, 0) % 2] }

  /// Returns the two documents alternately.
  package func next() -> Fixture<Document> {
    given += 1
    return latest
  }

  /// How many lines of JSON differ between the two, or nil if they cannot be encoded as JSON.
  package var change: MenuInfo.Change? {
    guard let lines else { return nil }
    return MenuInfo.Change(lines: Self.differing(lines), of: max(lines[0].count, lines[1].count))
  }

  private var lines: [[Data]]? { try? both.map { try Self.lines(of: $0.document) } }

  /// Returns how many lines only one document has, the larger of both counts.
  private static func differing(_ lines: [[Data]]) -> Int {
    let difference = Dictionary(lines[0].map { ($0, 1) }, uniquingKeysWith: +)
      .merging(lines[1].map { ($0, -1) }, uniquingKeysWith: +)
    return max(
      difference.values.reduce(0) { $0 + max($1, 0) },
      difference.values.reduce(0) { $0 + max(-$1, 0) })
  }

  /// Encodes a document with one value per line and sorted keys.
  private static func lines(of document: Document) throws -> [Data] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(document).split(separator: UInt8(ascii: "\n"))
  }
}

extension Fixture {
  /// Throws ``WorkloadFailure`` unless the document equals the fixture's. The fingerprint visits
  /// every part of the document; with `byValue` the values are compared as well.
  ///
  /// - Parameter subject: what the error message calls the document, such as `the last revision`.
  package func check(_ found: Document, byValue: Bool, _ subject: String) throws {
    let isSame = found.fingerprint == fingerprint
    guard !isSame || (byValue && found != document) else { return }
    throw WorkloadFailure(
      "\(subject) differs from what was written: \(difference(document, found))")
  }
}

extension Backend {
  /// Reads and decodes the whole stored document.
  package func whole() throws -> Document { try decode(read()) }
}

/// Describes where a document differs from the expected one.
package func difference(_ expected: some BenchDocument, _ found: some BenchDocument) -> String {
  firstDifference(expected, found) ?? "the order or form of some part"
}

/// Returns the path of the first part in which two values of one type differ, with both parts, as
/// in `products[3].name: "Pizza" became "Pizzа"`. Returns nil if no difference is found.
///
/// Text is compared by scalars, so NFC and NFD forms of a name differ. Reflection is slow: use this
/// only to describe a difference that is already known.
package func firstDifference(_ expected: Any, _ found: Any) -> String? {
  difference(at: "", expected, found)
}

private func difference(at path: String, _ expected: Any, _ found: Any) -> String? {
  let (old, new) = (Mirror(reflecting: expected), Mirror(reflecting: found))
  guard !old.children.isEmpty, !new.children.isEmpty else {
    let before = literal(expected)
    let after = literal(found)
    guard !before.unicodeScalars.elementsEqual(after.unicodeScalars) else { return nil }
    return "\(path.isEmpty ? "the value" : path): \(before) became \(after)"
  }
  guard old.children.count == new.children.count else {
    let counts = "\(old.children.count) parts became \(new.children.count)"
    return "\(path.isEmpty ? "the value" : path): \(counts)"
  }
  for (index, pair) in zip(old.children, new.children).enumerated() {
    let next = step(from: path, pair.0.label, index, in: old)
    if let place = difference(at: next, pair.0.value, pair.1.value) { return place }
  }
  return nil
}

private func step(from path: String, _ label: String?, _ index: Int, in mirror: Mirror) -> String {
  if mirror.displayStyle == .optional { return path }
  guard let label, mirror.displayStyle != .collection else { return "\(path)[\(index)]" }
  return path.isEmpty ? label : "\(path).\(label)"
}

private func literal(_ value: Any) -> String {
  let text = value is String ? "\"\(value)\"" : "\(value)"
  return text.count <= 80 ? text : text.prefix(77) + "…"
}
