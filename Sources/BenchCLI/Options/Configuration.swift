import Basics
import BenchResults
import Foundation

/// A configuration file: `{"tolerances": {"instructions": "0.1%"}, "limits": {"stored_bytes": "2MB"}}`.
struct Configuration {
  /// The file to read if it exists and no other is named.
  static let defaultPath = "menubench.json"
  /// The default path, or nil if nothing is there.
  static var usualPath: String? { SafeFile.exists(defaultPath) ? defaultPath : nil }

  /// The tolerances and limits, in the file's order.
  let entries: [RuleEntry]

  /// A value as written in the file. The text is nil if it is neither a number nor a text.
  private struct Value: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      let number = (try? value.decode(Decimal.self)).map { "\($0)" }
      text = number ?? (try? value.decode(String.self))
    }
  }

  init(path: String) throws {
    let text: [UInt8]
    do {
      text = [UInt8](try Data(ofFile: path, limit: RunFile.sizeLimit))
    } catch {
      throw Self.refused("the configuration \(path) cannot be read: \(error)")
    }
    var offsets: [String: Int] = [:]
    let file: [String: [String: Value]]
    do {
      try JSONScanner.scan(text) { offsets[$0.path] = offsets[$0.path] ?? $0.offset }
      file = try JSONDecoder().decode([String: [String: Value]].self, from: Data(text))
    } catch {
      throw Self.refused("\(path): \((error as? DecodingError)?.briefly ?? "\(error)")")
    }
    func place(of key: String) -> String {
      "\(path), \(JSONScanner.position(of: offsets[key] ?? 0, in: text)): "
    }
    let known = RuleEntry.Kind.allCases.map(\.rawValue)
    if let key = file.keys.first(where: { !known.contains($0) }) {
      let unknown = ValidNames(kind: "key", ids: known).unknown(key)
      throw Self.refused(place(of: key) + unknown.message, help: unknown.help)
    }
    let members = RuleEntry.Kind.allCases.flatMap { kind in
      (file[kind.rawValue] ?? [:]).map {
        (kind: kind, key: $0, value: $1.text, path: "\(kind.rawValue).\($0)")
      }
    }
    let ordered = members.sorted { offsets[$0.path] ?? 0 < offsets[$1.path] ?? 0 }
    entries = try ordered.map { kind, key, value, path in
      guard let value else {
        throw Self.refused(
          "\(place(of: path))the value of '\(key)' is neither a number nor a text",
          help: "give one such as 2, \"5%\" or \"16ms\"")
      }
      return RuleEntry(
        kind: kind, place: place(of: path), isTyped: false, key: key, value: value)
    }
  }

  private static func refused(_ message: String, help: String? = nil) -> CLIError {
    CLIError(
      message, help: help ?? "it should be like {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }
}
