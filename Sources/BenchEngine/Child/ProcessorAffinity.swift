import Basics

/// The processors that a thread and the threads that it starts may run on.
struct ProcessorAffinity {
  private let mask: [UInt8]

  /// The processors of the calling thread, or nil if they are unknown, as on Apple's systems.
  static var current: ProcessorAffinity? {
    #if os(Linux)
      // The kernel's mask may be wider than the header's type. 1,024 processors are enough.
      var mask = [UInt8](repeating: 0, count: 128)
      guard let get = function("sched_getaffinity"), get(0, mask.count, &mask) >= 0 else {
        return nil
      }
      return ProcessorAffinity(mask: mask)
    #else
      return nil
    #endif
  }

  /// Returns one of the processors, by a number modulo their count.
  func one(_ number: Int) -> ProcessorAffinity {
    let allowed = (0..<mask.count * 8).filter { mask[$0 / 8] & (1 << ($0 % 8)) != 0 }
    guard !allowed.isEmpty else { return self }
    let chosen = allowed[Int(number.magnitude % UInt(allowed.count))]
    var one = [UInt8](repeating: 0, count: mask.count)
    one[chosen / 8] = 1 << (chosen % 8)
    return ProcessorAffinity(mask: one)
  }

  /// Restricts the calling thread to these processors.
  func apply() {
    #if os(Linux)
      var mask = mask
      _ = Self.function("sched_setaffinity")?(0, mask.count, &mask)
    #endif
  }

  #if os(Linux)
    private typealias Call = @convention(c) (Int32, Int, UnsafeMutableRawPointer) -> Int32

    /// Headers declare both functions only if GNU extensions are enabled, which Swift cannot do.
    private static func function(_ name: String) -> Call? {
      dlsym(nil, name).map { unsafeBitCast($0, to: Call.self) }
    }
  #endif
}
