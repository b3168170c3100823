import Foundation

extension Data {
  /// Whether it begins as gzip does (RFC 1952), whatever its file is called.
  package var isGzip: Bool { starts(with: [0x1F, 0x8B]) }
}

extension FileHandle {
  /// The bytes until its end, as of a pipe, whose size only reading tells; nil where they are more than a limit,
  /// of which no more is kept.
  ///
  /// - Throws: the system's error.
  package func contents(upTo limit: Int) throws -> Data? {
    var data = Data()
    while let more = try read(upToCount: 1 << 16), !more.isEmpty {
      data.append(more)
      guard data.count <= limit else { return nil }
    }
    return data
  }
}
