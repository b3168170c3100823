import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// A JSON document for scripts. Every key is always there, and an unknown is `null`.
///
/// Synthesized `Encodable` leaves out keys with nil values. Readers could not tell an unknown from
/// a key that this version does not have.
package enum JSONValue: Encodable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Makes a number, or null for nil, and for values that JSON has no number for.
  package init(_ number: Double?) {
    self = number.flatMap(\.finite).map(JSONValue.number) ?? .null
  }

  package init(_ number: Int?) { self.init(number.map(Double.init)) }
  package init(_ text: String?) { self = text.map(JSONValue.text) ?? .null }
  package init(_ fact: Bool?) { self = fact.map(JSONValue.bool) ?? .null }
  package init(_ texts: [String]?) { self = texts.map { .list($0.map(JSONValue.text)) } ?? .null }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .null: try container.encodeNil()
    case .bool(let fact): try container.encode(fact)
    case .number(let number):
      // Whole numbers are written without a point.
      if let whole = Int(exactly: number) {
        try container.encode(whole)
      } else {
        try container.encode(number)
      }
    case .text(let text): try container.encode(text)
    case .list(let values): try container.encode(values)
    case .object(let members): try container.encode(members)
    }
  }

  /// Returns an indented document of a kind, with sorted keys, ending in a line break.
  ///
  /// It also has `kind`, `schema`, the version of the kind's members, and `tool`, the program that
  /// made it.
  package static func document(
    _ kind: String, by tool: Tool, _ members: [String: JSONValue]
  ) throws -> String {
    let head: [String: JSONValue] = [
      "kind": .text(kind), "schema": .number(1),
      "tool": .object([
        "name": .text(tool.name), "version": .text(tool.version),
        "revision": JSONValue(tool.revision),
      ]),
    ]
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
    let whole = JSONValue.object(members.merging(head) { own, _ in own })
    return String(decoding: try encoder.encode(whole), as: UTF8.self) + "\n"
  }
}

extension JSONValue {
  init(_ interval: Interval?) {
    self = interval.map { .object(["low": .number($0.low), "high": .number($0.high)]) } ?? .null
  }
}
