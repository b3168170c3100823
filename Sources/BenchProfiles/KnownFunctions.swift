import BenchResults

/// Classifies functions by their names and their libraries.
extension Profile.Frame {
  /// Whether it converts values to a format and back: Foundation's coders, SwiftProtobuf, zstd, simdjson
  /// with our decoder, anyone's `Codable` containers, and what the compiler generates for `Codable`.
  package var isCoder: Bool {
    // A backend may also have JSON in its name.
    let words = [.foundation, .swift].contains(owner) ? ["JSON", "PropertyList", "BPlist"] : []
    if words.contains(where: { name.contains($0) }) { return true }
    return ["SwiftProtobuf", "SimdjsonBackends"].contains(module) || module.hasPrefix("libzstd")
      || module.hasPrefix("libsimdjson") || name.contains("codingContainer")
      || ["init(from:)", "encode(to:)"].contains(where: name.hasSuffix)
  }

  /// Whether it belongs to the part of Foundation that is a store.
  package var isStore: Bool {
    owner == .foundation && (name.contains("UserDefaults") || name.contains("CFPreferences"))
  }

  /// Whether it allocates or frees memory. Some functions of SQLite are named like the C library's.
  package var managesMemory: Bool {
    [.system, .swift].contains(owner) && Self.managers.contains(where: { name.hasPrefix($0) })
  }

  /// Whether it only forwards a request for memory. Its caller is the one that asks for it.
  var isAllocator: Bool { module.hasPrefix("libjemalloc") || Self.allocators.contains(name) }

  private static let managers = [
    "malloc", "_int_malloc", "free", "_int_free", "cfree", "__libc_free", "__libc_malloc", "calloc",
    "realloc", "_int_realloc", "__libc_calloc", "__libc_realloc", "sysmalloc", "systrim",
    "unlink_chunk",
    "tcache_", "posix_memalign", "_int_memalign", "swift_slowAlloc", "swift_slowDealloc",
    "operator new", "operator delete",
  ]

  // The functions that request memory in the runtimes and in SQLite.
  private static let allocators: Set = [
    "malloc", "calloc", "realloc", "operator new",
    "swift_slowAlloc", "swift_slowAllocTyped", "swift::swift_slowAllocTyped", "swift_allocObject",
    "_swift_allocObject_",
    "sqlite3MemMalloc", "sqlite3MemRealloc", "sqlite3Malloc", "sqlite3Realloc", "sqlite3_malloc64",
    "sqlite3DbMallocRaw", "sqlite3DbMallocRawNN", "sqlite3DbMallocZero", "dbMallocRawFinish",
    "sqlite3DbRealloc", "dbReallocFinish", "sqlite3MallocZero", "pcache1Alloc",
  ]
}
