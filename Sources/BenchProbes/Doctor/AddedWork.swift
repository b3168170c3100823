import CCallgrind

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Work of a known cost that the optimiser cannot remove: a known fault for a gate to find.
public enum AddedWork {
  /// Executes about so many machine instructions, in whole hundreds.
  ///
  /// Within 5 % of the hundreds asked for in an optimised build, 10 % in any other; less than 100
  /// are none.
  public static func instructions(_ count: Int) {
    callgrind_idle(UInt(max(count, 0) / 100))
  }

  /// Allocates 16 bytes and frees them at once, so many times.
  public static func allocations(_ count: Int) {
    for _ in 0..<max(count, 0) {
      let block = malloc(16)
      blackHole(block)
      free(block)
    }
  }

  /// Keeps the processor busy for as long again, or a part or multiple of it, as has passed since a
  /// moment of a clock.
  ///
  /// A part that is no positive number adds nothing.
  public static func slowdown(_ part: Double, since start: UInt64, by clock: some WallClock) {
    let now = clock.now()
    let added = Double(now &- start) * part
    guard added > 0, added < 1e18 else { return }
    while clock.now() &- now < UInt64(added) {}
  }
}
