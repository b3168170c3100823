import Basics

/// The processors that a thread may run on, and those that it starts.
struct ProcessorAffinity {
  private let mask: [UInt8]

  /// Those of the calling thread; nil where they are unknown, as on Apple's systems.
  static var current: ProcessorAffinity? {
    #if os(Linux)
      // The kernel's own mask may be wider than that of the header: 1,024 processors will do.
      var mask = [UInt8](repeating: 0, count: 128)
      guard let get = function("sched_getaffinity"), get(0, mask.count, &mask) >= 0 else {
        return nil
      }
      return ProcessorAffinity(mask: mask)
    #else
      return nil
    #endif
  }

  /// One of them alone, by its number modulo how many there are.
  func one(_ number: Int) -> ProcessorAffinity {
    let allowed = (0..<mask.count * 8).filter { mask[$0 / 8] & (1 << ($0 % 8)) != 0 }
    guard !allowed.isEmpty else { return self }
    let chosen = allowed[Int(number.magnitude % UInt(allowed.count))]
    var one = [UInt8](repeating: 0, count: mask.count)
    one[chosen / 8] = 1 << (chosen % 8)
    return ProcessorAffinity(mask: one)
  }

  /// Keeps the calling thread on them.
  func apply() {
    #if os(Linux)
      var mask = mask
      _ = Self.function("sched_setaffinity")?(0, mask.count, &mask)
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
