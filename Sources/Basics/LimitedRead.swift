import Foundation

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
