import Basics
import Foundation

/// A file that is only ever read or replaced whole, by bare system calls.
///
/// `none` truncates and writes in place. `atomic` writes aside and renames, which POSIX makes atomic.
/// `durable` flushes the file before the rename and the folder after it, so that neither the bytes
/// nor the name can be lost (see fsync(2): a file's own flush does not cover its folder's entry).
public struct WholeFile: Sendable {
  private let path: String
  private let aside: String
  private let folder: String
  private let durability: Durability

  /// Describes a file; nothing is opened.
  public init(path: String, durability: Durability) {
    self.path = path
    self.durability = durability
    aside = path + ".new"
    folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  /// Replaces the content.
  ///
  /// - Throws: ``StoreError`` with the system's reason; at `atomic` and `durable` the old content
  ///   is then still there and nothing lies beside it.
  public func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard durability != .none else { return try fill(path, with: bytes) }
    do {
      try fill(aside, with: bytes)
      guard rename(aside, path) == 0 else { throw StoreError.system("rename", aside) }
    } catch {
      unlink(aside)
      throw error
    }
    if durability == .durable { try flushFolder() }
  }

  /// The whole content.
  ///
  /// - Throws: ``StoreError`` with the system's reason.
  public func read() throws -> Data {
    let descriptor = try open(path, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    let count = try FileIdentity(of: descriptor, path).length
    guard count > 0 else { return Data() }
    guard let memory = malloc(count) else { throw StoreError.system("allocate for", path) }
    do {
      try fill(UnsafeMutableRawBufferPointer(start: memory, count: count), from: descriptor)
    } catch {
      free(memory)
      throw error
    }
    // Only now: of a few bytes Data makes a copy and frees the memory at once.
    return Data(bytesNoCopy: memory, count: count, deallocator: .free)
  }

  /// Reads as much as the buffer holds, from the file's start.
  ///
  /// - Throws: ``StoreError`` with the system's reason, or where the file is shorter.
  public func read(into buffer: UnsafeMutableRawBufferPointer) throws {
    let descriptor = try open(path, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    try fill(buffer, from: descriptor)
  }

  /// The content's length in bytes.
  public func length() throws -> Int {
    let descriptor = try open(path, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    return try FileIdentity(of: descriptor, path).length
  }

  private func fill(_ path: String, with bytes: UnsafeRawBufferPointer) throws {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_TRUNC)
    do {
      var rest = bytes
      while !rest.isEmpty {
        let count = Foundation.write(descriptor, rest.baseAddress, rest.count)
        guard count >= 0 || errno == EINTR else { throw StoreError.system("write", path) }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(max(count, 0)))
      }
      if durability == .durable { try flush(descriptor, path) }
    } catch {
      _ = Foundation.close(descriptor)
      throw error
    }
    guard Foundation.close(descriptor) == 0 else { throw StoreError.system("close", path) }
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
    let descriptor = try open(folder, O_RDONLY)
    defer { _ = Foundation.close(descriptor) }
    try flush(descriptor, folder)
  }

  private func flush(_ descriptor: Int32, _ path: String) throws {
    #if canImport(Darwin)
      guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw StoreError.system("flush", path) }
    #else
      guard fsync(descriptor) == 0 else { throw StoreError.system("flush", path) }
    #endif
  }

  private func open(_ path: String, _ flags: Int32) throws -> Int32 {
    let descriptor = Foundation.open(path, flags | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StoreError.system("open", path) }
    return descriptor
  }
}

/// A file mapped for reading, until nobody refers to it.
package final class MappedFile {
  /// All of the file; empty where the file is.
  package let bytes: UnsafeRawBufferPointer
  /// Which file it is.
  package let identity: FileIdentity

  /// Maps a file.
  ///
  /// - Throws: ``StoreError`` with the system's reason.
  package init(_ path: String) throws {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw StoreError.system("open", path) }
    defer { _ = Foundation.close(descriptor) }
    identity = try FileIdentity(of: descriptor, path)
    guard identity.length > 0 else {
      bytes = UnsafeRawBufferPointer(start: nil, count: 0)
      return
    }
    let start = mmap(nil, identity.length, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else { throw StoreError.system("map", path) }
    bytes = UnsafeRawBufferPointer(start: start, count: identity.length)
  }

  deinit {
    if let start = bytes.baseAddress {
      munmap(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}

extension StoreError {
  /// What the system said last.
  package static func system(_ operation: String, _ path: String) -> Self {
    Self(operation: operation, path: path, reason: errnoMessage())
  }
}
