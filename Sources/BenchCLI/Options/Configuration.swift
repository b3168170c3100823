import Basics
import BenchResults
import Foundation

/// A validated configuration file: `{"tolerances": {"instructions": "0.1%"}}`.
struct Configuration {
  /// The file to read if it exists and no other is named.
  static let defaultPath = "menubench.json"
  /// The default path, or nil if nothing is there.
  static var usualPath: String? { SafeFile.exists(defaultPath) ? defaultPath : nil }

  /// The tolerances, in the file's order.
  let tolerances: [ToleranceEntry]

  private static let key = "tolerances"
  /// The keys of earlier versions, which held options of commands.
  private static let formerKeys = ["options", "run", "gate", "compare", "scale"]

  /// A tolerance as written in the file. The text is nil if it is invalid.
  private struct Value: Decodable {
    let text: String?

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      let number = (try? value.decode(Decimal.self)).map { "\($0)" }
      text = number ?? (try? value.decode(String.self)).flatMap { $0.hasSuffix("%") ? $0 : nil }
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
    if let key = file.keys.first(where: { $0 != Self.key }) {
      let unknown = ValidNames(kind: "key", ids: [Self.key]).unknown(key)
      let help = "this file no longer holds options: type them, or keep them in a script"
      throw Self.refused(
        place(of: key) + unknown.message,
        help: Self.formerKeys.contains(key) ? help : unknown.help)
    }
    let members = (file[Self.key] ?? [:]).map {
      (key: $0, value: $1.text, path: "\(Self.key).\($0)")
    }
    let ordered = members.sorted { offsets[$0.path] ?? 0 < offsets[$1.path] ?? 0 }
    tolerances = try ordered.map { key, value, path in
      guard let value else {
        throw Self.refused(
          "\(place(of: path))the value of '\(key)' is invalid", help: ToleranceEntry.valueRule)
      }
      return ToleranceEntry(place: place(of: path), isTyped: false, key: key, value: value)
    }
  }

  private static func refused(_ message: String, help: String? = nil) -> CLIError {
    CLIError(
      message, help: help ?? "it should be like {\"tolerances\": {\"allocations\": \"1%\"}}",
      status: .usage)
  }
}
