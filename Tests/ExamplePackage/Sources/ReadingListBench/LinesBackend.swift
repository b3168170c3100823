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

extension CodecEntry where Document == ReadingList {
  /// `lines`: the same text for any place: `lines@lmdb`.
  static var lines: Self {
    Self(
      id: "lines", summary: "our own lines of text with tabs", library: Library.none,
      fileExtension: "txt", documentCodec: LinesCodec())
  }
}

/// A reading list as lines that people can read, and `diff` and `grep` can use.
///
/// It beats a general format by knowing what comes next: no keys, no tree of values in between, and
/// every text is copied once.
struct LinesCodec: DocumentCodec {
  func encode(_ list: ReadingList) throws -> Data {
    var lines = LineWriter()
    lines.write(list)
    return Data(lines.text.utf8)
  }

  func decode(_ bytes: Data) throws -> ReadingList {
    try bytes.withUnsafeBytes { bytes in
      var lines = try LineReader(bytes)
      return try lines.list()
    }
  }
}

/// Keeps the lines in one file.
final class LinesBackend: Backend {
  private let path: String
  private let file: WholeFile
  private let codec = LinesCodec()

  init(_ store: StoreContext) {
    path = store.path("list.txt")
    file = WholeFile(path: path, durability: store.durability)
  }

  func encode(_ list: ReadingList) throws -> Data { try codec.encode(list) }

  func write(_ payload: Data) throws {
    try payload.withUnsafeBytes { try file.write($0) }
  }

  func read() throws -> Data { try file.read() }

  func decode(_ payload: Data) throws -> ReadingList {
    do { return try codec.decode(payload) } catch let error as MalformedLine {
      throw StoreError(operation: "decode", path: path, reason: "\(error)")
    }
  }

  func size(of payload: Data) -> Size { .bytes(payload.count) }
}
