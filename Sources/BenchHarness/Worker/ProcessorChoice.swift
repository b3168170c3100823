#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps the calling thread on one processor.
enum ProcessorChoice {
  /// Keeps to the so-manieth of the processors that the thread may use, counted round and round; does
  /// nothing where there is no way to, as on Apple's systems.
  static func keep(to number: Int) {
    #if os(Linux)
      guard let get = function("sched_getaffinity"), let set = function("sched_setaffinity") else {
        return
      }
      var mask = [UInt8](repeating: 0, count: 128)
      // The kernel's own mask may be wider than that of the header: 1,024 processors will do.
      guard get(0, mask.count, &mask) >= 0 else { return }
      let allowed = (0..<mask.count * 8).filter { mask[$0 / 8] & (1 << ($0 % 8)) != 0 }
      guard !allowed.isEmpty else { return }
      let chosen = allowed[Int(number.magnitude % UInt(allowed.count))]
      mask = [UInt8](repeating: 0, count: 128)
      mask[chosen / 8] = 1 << (chosen % 8)
      _ = set(0, mask.count, &mask)
    #endif
  }

  #if os(Linux)
    private typealias Call = @convention(c) (Int32, Int, UnsafeMutableRawPointer) -> Int32

    /// Headers show both only to programs that ask for GNU's extensions, which Swift cannot.
    private static func function(_ name: String) -> Call? {
      dlsym(nil, name).map { unsafeBitCast($0, to: Call.self) }
    }
  #endif
}
