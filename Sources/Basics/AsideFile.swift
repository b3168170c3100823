import Foundation

/// A new file beside another, which only its maker writes: `NAME.abcdefghijklmnop.new`.
///
/// Its maker holds a lock on it (flock(2)), which the system drops when a process ends: one without
/// is left over. Where a file system knows no such locks nothing is ever taken for left over.
package struct AsideFile {
  package let path: String
  package let descriptor: Int32

  /// Makes one under a name that nobody has; nil where the system refuses, as `errno` says.
  package init?(beside file: String, mode: mode_t = 0o644) {
    while true {
      let path = "\(file).\(Self.letters()).new"
      let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        return nil
      }
      // Somebody who looked for leftovers may have come between the two calls.
      let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, Self.hasName(descriptor) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      _ = Foundation.close(descriptor)
    }
  }

  /// Closes it, wherever it is by now, which gives the lock back.
  package func close() { _ = Foundation.close(descriptor) }

  /// Removes those of a file that nobody writes. What can't be removed costs room and nothing else.
  ///
  /// - Parameter folder: The start of the path up to the file's name.
  package static func removeLeftovers(of file: String, in folder: String) {
    guard let list = opendir(folder) else { return }
    defer { closedir(list) }
    let start = String(file.dropFirst(file.hasPrefix(folder) ? folder.count : 0)) + "."
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(start), isAside(name.dropFirst(start.count)) { remove(folder + name) }
    }
  }

  /// The path up to a file's name; the current folder where there is none.
  package static func folder(of file: String) -> String {
    file.lastIndex(of: "/").map { String(file[...$0]) } ?? "./"
  }

  private static func hasName(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_nlink > 0
  }

  private static func remove(_ path: String) {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { _ = Foundation.close(descriptor) }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }

  /// Sixteen letters for a name that nobody has yet.
  ///
  /// Letters of one kind, known again as bytes: making such a name and finding it in a folder takes as many
  /// instructions and as much memory whichever letters they are, which those of digits base 16 do not.
  private static func letters() -> String {
    let bits = UInt64.random(in: 0 ... .max)
    return String(
      decoding: (0..<16).map { UInt8(ascii: "a") + UInt8(bits >> ($0 * 4) & 15) }, as: UTF8.self)
  }

  private static func isAside(_ end: Substring) -> Bool {
    let letters = end.utf8.dropLast(4)
    return end.hasSuffix(".new") && letters.count == 16
      && letters.allSatisfy((UInt8(ascii: "a")...UInt8(ascii: "p")).contains)
  }
}

/// Writes all bytes to an open file; false where the system refuses, as `errno` says.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
    guard count >= 0 || errno == EINTR else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
  }
  return true
}
