import BenchResults

/// What functions do that are known by their names and their libraries'.
extension Profile.Frame {
  /// Whether it turns values into a format and back: of Foundation's coders, SwiftProtobuf, zstd and simdjson,
  /// and what the compiler writes for `Codable`.
  package var isCoder: Bool {
    // A storage may have JSON in its name as well.
    if [.foundation, .swift].contains(owner), Self.coders.contains(where: { name.contains($0) }) {
      return true
    }
    return module == "SwiftProtobuf" || module.hasPrefix("libzstd")
      || module.hasPrefix("libsimdjson")
      || ["init(from:)", "encode(to:)"].contains(where: name.hasSuffix)
  }

  /// Whether it is of what in Foundation is a store.
  package var isStore: Bool {
    owner == .foundation && Self.stores.contains(where: { name.contains($0) })
  }

  /// Whether it gets or gives back memory. SQLite has functions that are called like the C library's.
  package var managesMemory: Bool {
    [.system, .swift].contains(owner) && Self.managers.contains(where: { name.hasPrefix($0) })
  }

  private static let coders = [
    "JSON", "PropertyList", "BPlist", "CodingContainer", "DecodingContainer",
  ]

  private static let stores = ["UserDefaults", "CFPreferences"]

  private static let managers = [
    "malloc", "_int_malloc", "free", "_int_free", "cfree", "__libc_free", "__libc_malloc", "calloc",
    "realloc", "_int_realloc", "__libc_calloc", "__libc_realloc", "sysmalloc", "systrim",
    "unlink_chunk",
    "tcache_", "posix_memalign", "_int_memalign", "swift_slowAlloc", "swift_slowDealloc",
    "operator new", "operator delete",
  ]
}
