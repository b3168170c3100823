import BackendKit
import BenchEngine
import Foundation

/// A small JSON file that a workload keeps beside the store: the same whatever the backend, at the
/// cell's durability.
struct SmallFile<Value: Codable & Equatable> {
  private let path: String
  private let file: WholeFile
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  init(_ name: String, beside store: StoreContext) {
    path = store.path(name)
    file = WholeFile(path: path, durability: store.durability)
  }

  func write(_ value: Value) throws {
    try encoder.encode(value).withUnsafeBytes { try file.write($0) }
  }

  func read() throws -> Value { try decoder.decode(Value.self, from: file.read()) }

  /// Throws ``WorkloadFailure`` with a fault, and where it lies, unless a value was written last.
  func check(holds expected: Value, orElse fault: String) throws {
    let found = try read()
    guard found != expected else { return }
    throw WorkloadFailure("\(fault): \(firstDifference(expected, found) ?? "some part")")
  }

  /// The value written last; nil where there is no file.
  func readIfThere() throws -> Value? {
    FileManager.default.fileExists(atPath: path) ? try read() : nil
  }

  /// Forgets what an earlier pass left: what this one fails to write must not be found.
  func remove() throws {
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
