import Foundation

/// A new file next to another one, `NAME.abcdefghijklmnop.new`. Only its maker writes to it.
///
/// The maker holds a lock (flock(2)), which the system releases when the process ends. A file without
/// a lock is a leftover. On a file system without such locks no file is taken for a leftover.
package struct TemporarySibling {
  package let path: String
  package let descriptor: Int32

  /// Creates the file under an unused name. Returns nil and sets `errno` if the system refuses.
  package init?(beside file: String, mode: mode_t = 0o644) {
    while true {
      let path = "\(file).\(Self.letters()).new"
      let descriptor = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard descriptor >= 0 else {
        if errno == EEXIST { continue }
        return nil
      }
      // Between the two calls another process may have locked or removed the file as a leftover.
      let isTaken = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
      if !isTaken, Self.hasName(descriptor) {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      _ = Foundation.close(descriptor)
    }
  }

  /// Closes the file, even if it was renamed. This releases the lock.
  package func close() { _ = Foundation.close(descriptor) }

  /// Removes the leftovers of a file. One that can't be removed only takes up space.
  ///
  /// - Parameter folder: the start of the path up to the file's name.
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

  /// The path up to a file's name, or the current folder if it has none.
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

  /// Sixteen random letters for an unused name.
  ///
  /// Only letters, compared as bytes: every such name takes the same number of instructions and the
  /// same memory to make and to find in a folder. Names of hexadecimal digits do not.
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

/// Writes all bytes to an open file. Returns false and leaves `errno` if the system refuses.
package func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
  var rest = bytes
  while !rest.isEmpty {
    let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
    guard count >= 0 || errno == EINTR else { return false }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
  }
  return true
}
