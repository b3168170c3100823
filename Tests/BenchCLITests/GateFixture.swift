import BenchResults
import Foundation

/// Common parts of the tests of `bench gate`: counts of a menu that is small enough for short
/// tests.
enum Gate {
  /// A menu for which a block of counts takes tens of milliseconds.
  static let menu = "products=20,combos=2,slots=2,options=4,seed=1"
  static let cell = "json/\(menu)/roundtrip/atomic"
  /// The metrics whose counts are always equal.
  static let counters = Metric.all.filter(\.isExact).map(\.id).joined(separator: ",")
  /// A gate of any program with bench.
  static let any = "gate --allow-debug --menu \(menu) --out out"
  /// A gate that counts and does not time. A test of explanations asks for them.
  static let exact = any + " --tier exact --metrics \(counters) --no-explain"
  /// The same, of bench against itself.
  static let itself = exact + " --against \(Executable.bench.path)"

  /// `gate.json` as its readers see it: by its keys, not by our types.
  struct File: Decodable {
    var schema: Int
    var failing: [Row]

    struct Row: Decodable {
      var cell: Cell
      var phase: String
      var metric: String
      var verdict: String
      var difference: Double?
      var candidate: Side
      var baseline: Side
    }

    struct Side: Decodable {
      var executable: String?
      var pairing: String?
    }

    init(in folder: String) throws {
      let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/gate.json"))
      self = try JSONDecoder().decode(Self.self, from: data)
    }
  }

  /// The last column of a CSV report, by backend, phase and metric.
  static func verdicts(csv: String) -> [String: String] {
    let lines = csv.replacing("\"\(menu)\"", with: "menu").split(separator: "\n").dropFirst()
    let rows = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    return Dictionary(rows.map { ("\($0[0])/\($0[4])/\($0[5])", String($0.last ?? "")) }) {
      first, _ in first
    }
  }

  static func write(script: String, to path: String) throws {
    try Data("#!/bin/sh\n\(script)\n".utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// A program of another time or place: what an executable says of itself, edited by sed.
  static func write(_ executable: Executable, edited expression: String, to path: String) throws {
    try write(script: "\"\(executable.path)\" worker | sed -u -E '\(expression)'", to: path)
  }
}
