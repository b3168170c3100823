import Basics
import BenchResults
import CProfiler
import Foundation

/// Records stacks of the calling thread during a phase, by a timer or at each system call. Create
/// one profiler per process and use it on one thread.
package final class StackProfiler: Profiler {
  /// When a stack is recorded.
  package enum Moment {
    /// At this interval, from a random start.
    case every(nanoseconds: Int64)
    /// At each system call.
    case call
  }

  private let moment: Moment
  private let clock = MonotonicClock()
  private var parts: [Part] = []

  /// The stacks recorded in one run of a phase, or in one part of a run.
  private struct Part {
    var phase: String
    /// The range of its stacks in the buffer, in bytes.
    var stacks: Range<Int>
    var wall: Double
    var others: Double
    /// The number of stacks that were recorded, and of those that did not fit into the buffer.
    var taken: UInt64
    var dropped: UInt64
    /// The number of file paths that did not fit, and whether tracing of calls ended early.
    var pathsMissed: UInt64
    var endedEarly: Bool
    /// Whether the part continues the previous run.
    var goesOn: Bool
  }

  /// The depth limit. Deeper stacks are cut, and the number of cut stacks is reported.
  private static let deepest: UInt32 = 512
  /// The buffer's size: some thousand stacks of maximum depth, or ten times as many usual ones.
  private static let room = 48 << 20

  /// Throws ``Unsupported`` if the system cannot record stacks.
  package init(_ moment: Moment) throws(Unsupported) {
    self.moment = moment
    let code = profiler_prepare(Self.room, Self.deepest)
    guard code == 0 else { throw .systemError("no stacks can be taken here", code: code) }
    switch moment {
    case .every(let nanoseconds):
      let code = profiler_prepare_timer(nanoseconds)
      guard code == 0 else { throw .systemError("no timer for samples", code: code) }
    case .call:
      let code = profiler_prepare_calls()
      guard code == 0 else {
        throw .systemError(
          "this kernel does not let a process follow its own calls (Linux 5.11 on x86-64 does)",
          code: code)
      }
    }
  }

  private var isSampling: Bool { if case .every = moment { true } else { false } }

  package var runs: Int { parts.count { !$0.goesOn } }

  package func samples(of phase: String?) -> Int? {
    guard isSampling else { return nil }
    guard let phase else { return Int(profiler_taken()) }
    return parts.reduce(0) { $0 + ($1.phase == phase ? Int($1.taken) : 0) }
  }

  /// Does a phase's work and records its stacks up to the frame of this function.
  @inline(never)
  package func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool = false, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (size, taken, dropped) = (profiler_size(), profiler_taken(), profiler_dropped())
    let pathsMissed = profiler_paths_missed()
    let (others, start) = (ProcessorTime.ofOtherThreads, clock.now())
    defer {
      let wall = Double(clock.now() &- start)
      parts.append(
        Part(
          phase: phase, stacks: size..<profiler_size(), wall: wall,
          others: max(0, ProcessorTime.ofOtherThreads - others),
          taken: profiler_taken() - taken, dropped: profiler_dropped() - dropped,
          pathsMissed: profiler_paths_missed() - pathsMissed,
          endedEarly: profiler_calls_ended() != 0, goesOn: goingOn))
    }
    // Called here and not in a helper function, since the stacks end at the caller's frame.
    if isSampling { profiler_begin_samples() } else { profiler_begin_calls() }
    defer { if isSampling { profiler_end_samples() } else { profiler_end_calls() } }
    let result = try work()
    blackHole(result)
    return result
  }

  package func forget() {
    profiler_forget()
    parts = []
  }

  package func profiles() -> [RawProfile] {
    let (maps, executable) = (Self.maps, Self.executable)
    return parts.grouped { $0.phase }.map { phase, parts in
      var facts = Profile.Facts()
      (facts.blocks, facts.runs) = (1, parts.count { !$0.goesOn })
      var found: [RawProfile.Stack: [Double]] = [:]
      for part in parts {
        facts.wall += part.wall
        facts.otherThreads += part.others
        facts.dropped += Int(part.dropped)
        forEachStack(in: part.stacks) { stack, addresses in
          facts.taken += 1
          if stack.end == UInt32(PROFILER_CUT.rawValue) { facts.cut += 1 }
          if stack.end == UInt32(PROFILER_LOST.rawValue) { facts.lost += 1 }
          let (key, values) = taken(stack, addresses)
          found[key] = found[key].map { zip($0, values).map(+) } ?? values
        }
      }
      let pathsMissed = parts.reduce(0) { $0 + $1.pathsMissed }
      if pathsMissed > 0 {
        facts.notes.append("calls without a known file: \(pathsMissed)")
      }
      if parts.contains(where: \.endedEarly) {
        facts.notes.append(
          "calls are missing after the work started a thread or a process, or received a signal")
      }
      let stacks = found.map { key, values in
        RawProfile.Stack(addresses: key.addresses, kernel: key.kernel, values: values)
      }
      return RawProfile(
        what: what, phase: phase, executable: executable, measures: measures, stacks: stacks,
        facts: facts
      ).with(\.maps, maps)
    }
  }

  private var what: Profile.What { if case .call = moment { .io } else { .cpu } }

  private var measures: [Profile.Measure] {
    switch moment {
    case .every(let nanoseconds):
      [
        Profile.Measure(id: "cpu", unit: .nanoseconds, sample: Double(nanoseconds)),
        Profile.Measure(id: "waited", unit: .nanoseconds, sample: Double(nanoseconds)),
      ]
    case .call:
      [
        Profile.Measure(id: "time", unit: .nanoseconds), Profile.Measure(id: "calls", unit: .count),
        Profile.Measure(id: "read", unit: .bytes), Profile.Measure(id: "written", unit: .bytes),
        Profile.Measure(id: "read calls", unit: .count),
        Profile.Measure(id: "write calls", unit: .count),
      ]
    }
  }

  private func taken(
    _ stack: profiler_stack, _ addresses: [UInt64]
  ) -> (key: RawProfile.Stack, values: [Double]) {
    switch moment {
    case .every(let nanoseconds):
      let inKernel = addresses.first.map(Self.isAfterCall) ?? false
      return (
        RawProfile.Stack(
          addresses: addresses, kernel: inKernel ? "in the kernel" : nil, values: []),
        [Double(stack.first * nanoseconds), Double(stack.second * nanoseconds)]
      )
    case .call:
      let call = SystemCall(stack)
      return (
        RawProfile.Stack(addresses: addresses, kernel: call.description, values: []),
        [
          Double(stack.duration), 1, call.read, call.written, call.isRead ? 1 : 0,
          call.isWrite ? 1 : 0,
        ]
      )
    }
  }

  private func forEachStack(
    in range: Range<Int>, _ body: (profiler_stack, [UInt64]) -> Void
  ) {
    guard let start = profiler_stacks() else { return }
    let bytes = UnsafeRawBufferPointer(start: start, count: range.upperBound)
    var offset = range.lowerBound
    while offset < range.upperBound {
      let stack = bytes.loadUnaligned(fromByteOffset: offset, as: profiler_stack.self)
      offset += MemoryLayout<profiler_stack>.stride
      let addresses = (0..<Int(stack.depth)).map {
        bytes.loadUnaligned(fromByteOffset: offset + $0 * 8, as: UInt64.self)
      }
      offset += addresses.count * 8
      body(stack, addresses)
    }
  }

  /// Whether the previous instruction is a system call. A thread that is interrupted in the kernel
  /// has its address right after that instruction.
  private static func isAfterCall(_ address: UInt64) -> Bool {
    #if arch(x86_64)
      guard let before = UnsafePointer<UInt8>(bitPattern: UInt(address) - 2) else { return false }
      return before[0] == 0x0f && before[1] == 0x05
    #elseif arch(arm64)
      guard let before = UnsafePointer<UInt32>(bitPattern: UInt(address) - 4) else { return false }
      return before[0] == 0xd400_0001
    #else
      return false
    #endif
  }

  static var maps: String { TextFile.read("/proc/self/maps") ?? "" }

  static var executable: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
  }
}

private enum ProcessorTime {
  /// The CPU time of all other threads of the process, in nanoseconds.
  static var ofOtherThreads: Double {
    time(CLOCK_PROCESS_CPUTIME_ID) - time(CLOCK_THREAD_CPUTIME_ID)
  }

  private static func time(_ clock: clockid_t) -> Double {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
