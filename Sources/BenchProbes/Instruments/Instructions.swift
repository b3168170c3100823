import Basics
import BenchResults

/// The user-space instructions that the calling thread retired, by the processor's counter.
///
/// Source: perf_event_open(2). Linux only. Virtual machines and hosted CI runners seldom offer it.
package final class Instructions: Instrument {
  /// The name of this counter in the description of a machine.
  package static let source = "perf_event"

  /// The reason why the counter is not available here, or nil if it is.
  package static var refusal: String? {
    do throws(Unsupported) {
      _ = try Instructions()
      return nil
    } catch {
      return error.reason
    }
  }

  private let counter: Int32

  /// Opens a counter for the calling thread. Throws ``Unsupported`` with the system's reason.
  package init() throws(Unsupported) {
    #if os(Linux)
      counter = try PerfEvent.openInstructions()
      guard count() != nil else { throw .systemError("cannot read the instruction counter") }
    #else
      counter = -1
      throw Unsupported("no perf_event_open on this system")
    #endif
  }

  deinit {
    if counter >= 0 { close(counter) }
  }

  package var metrics: [Metric] { Probe.instructions.metrics }

  package func begin() {
    #if os(Linux)
      PerfEvent.control(counter, PerfEvent.reset)
      PerfEvent.control(counter, PerfEvent.enable)
    #endif
  }

  /// Stops the counter by an ioctl, which does not count as file I/O.
  package func end() {
    #if os(Linux)
      PerfEvent.control(counter, PerfEvent.disable)
    #endif
  }

  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = count().map { Double($0) } ?? .nan
  }

  private func count() -> UInt64? {
    var value: UInt64 = 0
    let size = MemoryLayout<UInt64>.size
    return read(counter, &value, size) == size ? value : nil
  }
}

#if os(Linux)
  /// The parts of linux/perf_event.h that counting instructions needs, laid out by hand.
  ///
  /// Swift cannot import the header's bit fields and cannot call the variadic `syscall` directly.
  enum PerfEvent {
    /// `PERF_EVENT_IOC_ENABLE`, `_IO('$', 0)`.
    static let enable: UInt = 0x2400
    /// `PERF_EVENT_IOC_DISABLE`, `_IO('$', 1)`.
    static let disable: UInt = 0x2401
    /// `PERF_EVENT_IOC_RESET`, `_IO('$', 3)`.
    static let reset: UInt = 0x2403

    /// Opens a stopped counter of the calling thread's instructions, without those of the kernel.
    static func openInstructions() throws(Unsupported) -> Int32 {
      guard let call = number, let symbol = dlsym(nil, "syscall") else {
        throw Unsupported("no perf_event_open on this architecture")
      }
      typealias Call =
        @convention(c) (
          Int, UnsafePointer<UInt64>, Int, Int, Int, UInt
        ) -> Int
      let thisThread = 0
      let anyProcessor = -1
      let noGroup = -1
      let closeOnExec: UInt = 8  // PERF_FLAG_FD_CLOEXEC
      let descriptor = unsafeBitCast(symbol, to: Call.self)(
        call, attributes, thisThread, anyProcessor, noGroup, closeOnExec)
      guard descriptor >= 0 else { throw .systemError("perf_event_open refused") }
      return Int32(truncatingIfNeeded: descriptor)
    }

    static func control(_ descriptor: Int32, _ command: UInt) {
      _ = ioctl(descriptor, command, CInt(0))
    }

    /// The number of the system call, or nil on any other architecture.
    private static var number: Int? {
      #if arch(x86_64)
        298
      #elseif arch(arm64)
        241
      #else
        nil
      #endif
    }

    /// `struct perf_event_attr` in its first published size, as eight words.
    private static var attributes: [UInt64] {
      let type: UInt64 = 0  // PERF_TYPE_HARDWARE
      let size: UInt64 = 64  // PERF_ATTR_SIZE_VER0
      return [
        type | size << 32,  // type, size: little-endian, as both architectures above are
        1,  // config: PERF_COUNT_HW_INSTRUCTIONS
        0,  // sample_period
        0,  // sample_type
        0,  // read_format: the count alone
        1 << 0 | 1 << 5 | 1 << 6,  // disabled, exclude_kernel, exclude_hv
        0,  // wakeup_events, bp_type
        0,  // bp_addr
      ]
    }
  }
#endif
