import Foundation

extension Data {
  /// Whether the bytes begin with the gzip signature (RFC 1952), whatever the file's extension is.
  package var isGzip: Bool { starts(with: [0x1F, 0x8B]) }

  /// Reads a file if its kind and size allow it: a named pipe would block, a sparse file may be huge.
  ///
  /// - Throws: the reason, in words that follow the file's name.
  package init(ofFile path: String, limit: Int) throws(Refusal) {
    var status = stat()
    guard stat(path, &status) == 0 else { throw Refusal(errnoMessage()) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw Refusal("it is a folder", help: "name a file in it")
    // A pipe of the shell, such as `<(…)` or `/dev/stdin`, is open already.
    case S_IFIFO where ["/dev/", "/proc/self/fd/"].contains(where: path.hasPrefix):
      guard let pipe = FileHandle(forReadingAtPath: path) else { throw Refusal(errnoMessage()) }
      self = try pipe.contents(upTo: limit)
      return
    default: throw Refusal("it is not a regular file", help: "copy it to a file first")
    }
    guard status.st_size <= limit else { throw tooLarge(limit) }
    do {
      self = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw Refusal(systemReason(error))
    }
  }
}

extension FileHandle {
  /// Reads to the end, for example of a pipe of unknown size. Stops above the limit.
  ///
  /// - Throws: the reason, in words that follow the pipe's name.
  package func contents(upTo limit: Int) throws(Refusal) -> Data {
    var data = Data()
    do {
      while let more = try read(upToCount: 1 << 16), !more.isEmpty {
        data.append(more)
        guard data.count <= limit else { throw tooLarge(limit) }
      }
    } catch {
      throw error as? Refusal ?? Refusal(systemReason(error))
    }
    return data
  }
}

private func tooLarge(_ limit: Int) -> Refusal {
  Refusal(
    "it has more bytes than the limit of \(limit)",
    help: "check that it is the right file: few are a hundredth as large")
}
