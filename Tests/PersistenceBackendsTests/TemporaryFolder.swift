import Foundation
import PersistenceBackends

/// A folder of a test's own, removed with the last reference to it.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "backends-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func store(_ durability: Durability = .atomic) -> StoreContext {
    StoreContext(folder: path, durability: durability)
  }

  /// The names of the files inside, sorted.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  func size(of name: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)).count
  }

  func bytes() throws -> Int { try store().bytes() }

  /// Damages a file from an offset to its end.
  func overwrite(_ name: String, from offset: Int) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + name))
    let length = try file.seekToEnd()
    try file.seek(toOffset: UInt64(offset))
    try file.write(contentsOf: Data(repeating: 0xFF, count: Int(length) - offset))
    try file.close()
  }

  func cut(_ name: String, to length: UInt64) throws {
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path + "/" + name))
    try file.truncate(atOffset: length)
    try file.close()
  }

  /// Changes eight bytes of a file at places that follow from the seed.
  func damage(_ name: String, seed: UInt64) throws {
    let url = URL(fileURLWithPath: path + "/" + name)
    var bytes = try Data(contentsOf: url)
    var state = seed
    for _ in 0..<8 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      bytes[Int(state >> 33) % bytes.count] ^= UInt8(truncatingIfNeeded: state >> 25) | 1
    }
    try bytes.write(to: url)
  }
}
