import BackendKit
import BenchEngine
import Foundation

/// A small JSON file that a workload keeps next to the store, the same for every backend and at the
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

  /// Throws ``WorkloadFailure`` with a fault and the first difference if another value was written.
  func check(holds expected: Value, orElse fault: String) throws {
    let found = try read()
    guard found != expected else { return }
    throw WorkloadFailure("\(fault): \(firstDifference(expected, found) ?? "some part")")
  }

  /// Returns the value written last, or nil if there is no file.
  func readIfThere() throws -> Value? {
    FileManager.default.fileExists(atPath: path) ? try read() : nil
  }

  /// Removes an earlier pass's file, so that it is not found if this pass fails to write.
  func remove() throws {
    if FileManager.default.fileExists(atPath: path) {
      try FileManager.default.removeItem(atPath: path)
    }
  }
}
