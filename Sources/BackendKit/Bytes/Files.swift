import Basics
import Foundation

/// A file that is always read or replaced as a whole, by direct system calls.
///
/// `none` truncates the file and writes it in place. `atomic` writes a temporary file next to it,
/// flushes that and renames it. POSIX makes the rename atomic: after a power cut the name leads to
/// the old bytes or the new ones, whole. `durable` also flushes the folder, so that the new name
/// can't be lost: a file's own flush does not cover its folder entry (fsync(2)). On Apple's systems
/// it flushes the drive's cache too.
///
/// Two writers of one file never mix their bytes at `atomic` and `durable`: each has its own
/// temporary file, and the last rename wins. Files left by killed writers are removed when the file
/// is next described at one of these two. A file that is still being written is locked, and stays.
public struct WholeFile: Sendable {
  /// The file's path.
  public let path: String
  private let folder: String
  private let durability: Durability

  /// Describes a file, which stays closed. Except at `none`, removes files left by killed writers.
  public init(path: String, durability: Durability) {
    self.path = path
    self.durability = durability
    folder = TemporarySibling.folder(of: path)
    if durability != .none { TemporarySibling.removeLeftovers(of: path, in: folder) }
  }

  /// Replaces the content.
  ///
  /// - Throws: ``StoreError`` with the system's reason. At `atomic` and `durable` the old content
  ///   is then still there and no temporary file is left. After a failed `flush folder` the new
  ///   content is in place, but a power cut may bring back the old.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard durability != .none else { return try writeInPlace(bytes) }
    guard let aside = TemporarySibling(beside: path) else { throw StoreError.system("open", path) }
    // Closing releases the lock, so it must come after the rename.
    defer { aside.close() }
    do {
      try write(bytes, to: aside.descriptor)
      try flush(aside.descriptor, path)
      guard rename(aside.path, path) == 0 else { throw StoreError.system("rename", path) }
    } catch {
      unlink(aside.path)
      throw error
    }
    if durability == .durable { try flushFolder() }
  }

  /// Returns the whole content.
  public func read() throws -> Data {
    let descriptor = try open(path, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    let count = try length(of: descriptor)
    guard count > 0 else { return Data() }
    guard let memory = malloc(count) else { throw StoreError.system("allocate for", path) }
    do {
      try fill(UnsafeMutableRawBufferPointer(start: memory, count: count), from: descriptor)
    } catch {
      free(memory)
      throw error
    }
    // Made last: Data copies a few bytes and frees the memory at once.
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  /// Fills the buffer from the file's start.
  ///
  /// - Throws: ``StoreError`` with the system's reason, or if the file is shorter.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws {
    let descriptor = try open(path, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    try fill(buffer, from: descriptor)
  }

  /// Returns the content's length in bytes.
  public func length() throws -> Int {
    let descriptor = try open(path, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    return try length(of: descriptor)
  }

  private func length(of descriptor: Int32) throws -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StoreError.system("stat", path) }
    return Int(status.st_size)
  }

  private func writeInPlace(_ bytes: UnsafeRawBufferPointer) throws {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
    do {
      try write(bytes, to: descriptor)
    } catch {
      _ = Foundation.close(descriptor)
      throw error
    }
    guard Foundation.close(descriptor) == 0 else { throw StoreError.system("close", path) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) throws {
    guard writeAll(bytes, to: descriptor) else { throw StoreError.system("write", path) }
  }

  private func fill(_ buffer: UnsafeMutableRawBufferPointer, from descriptor: Int32) throws {
    var rest = buffer
    while !rest.isEmpty {
      let count = Foundation.read(descriptor, rest.baseAddress, rest.count)
      guard count >= 0 || errno == EINTR else { throw StoreError.system("read", path) }
      guard count != 0 else {
        throw StoreError(operation: "read", path: path, reason: "the file ended too soon")
      }
      rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
    }
  }

  private func flushFolder() throws {
    do {
      let descriptor = try open(folder, O_RDONLY)
      defer { _ = Foundation.close(descriptor) }
      try flush(descriptor, folder)
    } catch let error as StoreError {
      throw StoreError(
        operation: "flush folder", path: folder,
        reason: "\(error.reason): \(path) has its new content, but a power cut may undo it")
    }
  }

  private func flush(_ descriptor: Int32, _ path: String) throws {
    #if canImport(Darwin)
      // Apple's fsync does not flush the drive's cache.
      if durability == .durable {
        guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw StoreError.system("flush", path) }
        return
      }
    #endif
    guard fsync(descriptor) == 0 else { throw StoreError.system("flush", path) }
  }

  private func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StoreError.system("open", path) }
    return descriptor
  }
}

extension StoreError {
  /// Makes an error from the system's last error number.
  package static func system(_ operation: String, _ path: String) -> Self {
    Self(operation: operation, path: path, reason: errnoMessage())
  }
}
