import BenchCLI
import Foundation

extension BackendEntry where Document == ReadingList {
  /// `lines`: our own text format, a line a thing, in one file.
  static var lines: Self {
    Self(
      id: "lines", summary: "our own lines of text with tabs, in one file",
      library: Library.none, promises: .durable
    ) { LinesBackend($0) }
  }
}

/// Keeps a reading list as lines that people can read, and `diff` and `grep` can use.
///
/// It beats a general format by knowing what comes next: no keys, no tree of values in between, and
/// every text is copied once.
final class LinesBackend: Backend {
  private let path: String
  private let file: WholeFile

  init(_ store: StoreContext) {
    path = store.path("list.txt")
    file = WholeFile(path: path, durability: store.durability)
  }

  func encode(_ list: ReadingList) throws -> Data {
    var lines = LineWriter()
    lines.write(list)
    return Data(lines.text.utf8)
  }

  func write(_ payload: Data) throws {
    try payload.withUnsafeBytes { try file.write($0) }
  }

  func read() throws -> Data { try file.read() }

  func decode(_ payload: Data) throws -> ReadingList {
    do {
      return try payload.withUnsafeBytes { bytes in
        var lines = try LineReader(bytes)
        return try lines.list()
      }
    } catch let error as MalformedLine {
      throw StoreError(operation: "decode", path: path, reason: "\(error)")
    }
  }

  func size(of payload: Data) -> Size { .bytes(payload.count) }
}
