#if Jemalloc
  import CJemalloc

  /// One entry of jemalloc's control tree, its name looked up once.
  final class JemallocControl {
    private let path: UnsafeMutablePointer<Int>
    private var length = JemallocControl.deepest

    private static let deepest = 8

    /// Looks the name up.
    ///
    /// - Throws: ``Unsupported`` if this jemalloc does not know the name.
    init(_ name: String) throws(Unsupported) {
      path = .allocate(capacity: Self.deepest)
      path.initialize(repeating: 0, count: Self.deepest)
      let code = jemalloc_name_to_mib(name, path, &length)
      guard code == 0 else { throw .systemError("jemalloc has no \(name)", code: code) }
    }

    deinit { path.deallocate() }

    /// The entry's value; nil if it has none.
    func read() -> UInt64? {
      var value: UInt64 = 0
      var size = MemoryLayout<UInt64>.size
      guard jemalloc_ctl_by_mib(path, length, &value, &size, nil, 0) == 0 else { return nil }
      return value
    }

    /// Sets the entry, and says whether that worked.
    func write(_ value: UInt64) -> Bool {
      var value = value
      return jemalloc_ctl_by_mib(path, length, nil, nil, &value, MemoryLayout<UInt64>.size) == 0
    }

    /// Does what the entry stands for, and says whether that worked.
    @discardableResult
    func call() -> Bool {
      jemalloc_ctl_by_mib(path, length, nil, nil, nil, 0) == 0
    }
  }
#endif
