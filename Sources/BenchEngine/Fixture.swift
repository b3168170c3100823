import BackendKit
import BenchDocuments
import BenchResults
import Foundation

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

/// Two documents of about one size, given out in turn, which differ as real revisions do: a store that
/// finds "nothing changed" and writes nothing, or that writes little more than a number, would
/// otherwise look fast.
package final class Fixtures<Document: BenchDocument> {
  /// The document asked for, then its revision 1.
  package let both: [Fixture<Document>]
  private var given = 0

  package init(_ document: Document) {
    both = [Fixture(document), Fixture(document.revised(1))]
  }

  /// The one given out last; the first before any was.
  package var latest: Fixture<Document> { both[max(given - 1, 0) % 2] }

  /// The one whose turn it is.
  package func next() -> Fixture<Document> {
    given += 1
    return latest
  }

  /// How much the two differ; nil of documents that are not to be had as JSON.
  package var change: MenuInfo.Change? {
    guard let lines else { return nil }
    let differing = Self.differing(lines) { _ in 1 }
    return MenuInfo.Change(lines: differing, of: max(lines[0].count, lines[1].count))
  }

  /// How many bytes of JSON without spaces the lines have in which the two differ; nil of documents that are
  /// not to be had as JSON.
  package var changedBytes: Int? {
    lines.map { lines in
      Self.differing(lines) { line in line.drop { $0 == UInt8(ascii: " ") }.count }
    }
  }

  private var lines: [[Data]]? { try? both.map { try Self.lines(of: $0.document) } }

  /// The weight of the lines that one has and the other has not, of the one with more of it.
  private static func differing(_ lines: [[Data]], weight: (Data) -> Int) -> Int {
    let difference = Dictionary(lines[0].map { ($0, 1) }, uniquingKeysWith: +)
      .merging(lines[1].map { ($0, -1) }, uniquingKeysWith: +)
    return max(
      difference.reduce(0) { $0 + max($1.value, 0) * weight($1.key) },
      difference.reduce(0) { $0 + max(-$1.value, 0) * weight($1.key) })
  }

  /// One value a line, keys in a fixed order.
  private static func lines(of document: Document) throws -> [Data] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(document).split(separator: UInt8(ascii: "\n"))
  }
}

extension Fixture {
  /// Throws ``WorkloadFailure`` unless a document is the fixture's: by its fingerprint, for which every
  /// part of it is visited, or value by value too.
  ///
  /// - Parameter subject: whose it is: `the last revision`.
  package func check(_ found: Document, byValue: Bool, _ subject: String) throws {
    let isSame = found.fingerprint == fingerprint
    guard !isSame || (byValue && found != document) else { return }
    throw WorkloadFailure(
      "\(subject) differs from what was written: \(difference(document, found))")
  }
}

extension Backend {
  /// Everything that is stored.
  package func whole() throws -> Document { try decode(read()) }
}

/// Where a document differs from the one that was expected, in words.
package func difference(_ expected: some BenchDocument, _ found: some BenchDocument) -> String {
  firstDifference(expected, found) ?? "the order or form of some part"
}

/// The path of the first part in which two values of one type differ, with both parts:
/// `products[3].name: "Pizza" became "Pizzа"`; nil if none is found.
///
/// Text is compared by scalars, so that NFC and NFD forms of one name differ. Reflection is slow: it
/// is for naming a fault that is already known to be there.
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
