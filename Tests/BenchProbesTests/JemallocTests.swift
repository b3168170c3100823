import Basics
import BenchProbes
import BenchResults
import Foundation
import Testing

/// Allocations are counted for the whole process, so each test runs in a process of its own, which is
/// started once more with jemalloc preloaded.
@Suite(.enabled(if: Preload.isPossible, "needs Linux and libjemalloc2"))
struct JemallocTests {
  @Test(
    "every malloc counts the bytes of its size class, freed or not, and a phase has a peak"
  )
  func counts() async {
    await #expect(processExitsWith: .success) {
      Preload.jemalloc()
      let empty = try JemallocTests.allocations { _ in }
      #expect(empty == [0, 0, 0])
      let small = try JemallocTests.allocations { blocks in
        for index in 0..<100 { blocks[index] = malloc(100) }
        for index in 0..<100 { free(blocks[index]) }
      }
      // jemalloc's size classes go 96, 112, 128.
      #expect(small[0] == 100)
      #expect(small[1] == 11_200)
      // Large blocks of this thread are its own, with any size.
      for bytes in [1_048_576, 33_554_432] {
        let seen = try JemallocTests.allocations { blocks in
          blocks[0] = malloc(bytes)
          free(blocks[0])
        }
        #expect(seen == [1, Double(bytes), Double(bytes)])
      }
      // Memory that was live before the phase is not in its peak.
      let later = try JemallocTests.allocations(after: { $0[0] = malloc(4_194_304) }) { blocks in
        free(blocks[0])
        blocks[1] = malloc(1_048_576)
      }
      #expect(later == [1, 1_048_576, 0])
      // A block that grows within its size class is not counted again, one that moves is.
      let growing = try JemallocTests.allocations { blocks in
        blocks[0] = malloc(100)
        blocks[0] = realloc(blocks[0], 110)
        blocks[0] = realloc(blocks[0], 2_000)
        free(blocks[0])
      }
      #expect(Array(growing.prefix(2)) == [2, 2_160])
    }
  }

  @Test("a peak of small blocks is the same each time, whatever was allocated between")
  func repeatedPeak() async {
    await #expect(processExitsWith: .success) {
      Preload.jemalloc()
      let sampler = Sampler(
        phases: 1, instruments: [AllocatorInstrument(try JemallocCounters())])
      let blocks = JemallocTests.Blocks.allocate(capacity: 2_000)
      for round in 0..<20 {
        for _ in 0..<(round * 37) { free(malloc(200)) }
        sampler.measure(0) {
          for index in 0..<2_000 { blocks[index] = malloc(100) }
          for index in 0..<2_000 { free(blocks[index]) }
        }
      }
      let peaks = Set(try #require(sampler.series(phase: 0).last?.values))
      #expect(peaks.count == 1)
      // 2,000 blocks of 112 bytes, seen with jemalloc's resolution.
      #expect(
        peaks.allSatisfy {
          224_000 - Double(JemallocCounters.peakResolution) <= $0 && $0 <= 224_000
        })
    }
  }

  @Test("allocations of another thread are counted too, and the peak is refused")
  func otherThread() async {
    await #expect(processExitsWith: .success) {
      Preload.jemalloc()
      let sampler = Sampler(
        phases: 1, instruments: [AllocatorInstrument(try JemallocCounters())])
      for _ in 0..<5 {
        sampler.measure(0) { JemallocTests.onAnotherThread { free(malloc(1 << 20)) } }
      }
      let seen = Array(sampler.series(phase: 0).dropFirst())
      let (allocations, bytes) = (seen[0].values.min() ?? 0, seen[1].values.min() ?? 0)
      #expect(allocations >= 1 && bytes >= 1_048_576 && bytes < 1_100_000)
      #expect(seen[2].values.isEmpty && seen[2].lost == 0)
      #expect(seen[2].refusal == "another thread allocates")
    }
  }

  @Test("a process that was not started with jemalloc has no counts, with the reason")
  func absent() {
    #expect(throws: Unsupported(JemallocLibrary.absence)) { try JemallocCounters() }
    #expect(Set(Instruments([.allocator]).unsupported.values) == [JemallocLibrary.absence])
  }

  @Test("a library that the user preloads stays, after jemalloc")
  func ownPreload() throws {
    let path = try #require(JemallocLibrary.path)
    let variables = JemallocLibrary.variables(["LD_PRELOAD": "/x.so", "HOME": "/"])
    #expect(variables["LD_PRELOAD"] == "\(path) /x.so")
    #expect(Set(variables.keys) == ["LD_PRELOAD", "MALLOC_CONF"])
  }

  static func onAnotherThread(_ body: @escaping @Sendable () -> Void) {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      body()
      done.signal()
    }
    done.wait()
  }

  typealias Blocks = UnsafeMutablePointer<UnsafeMutableRawPointer?>

  /// The least of nine samples. The first includes one-time set-up, and other threads of the test
  /// runner can only add.
  static func allocations(
    after prepare: (Blocks) -> Void = { _ in }, _ body: (Blocks) -> Void
  ) throws -> [Double] {
    let blocks = Blocks.allocate(capacity: 2_000)
    blocks.initialize(repeating: nil, count: 2_000)
    defer { blocks.deallocate() }
    let sampler = Sampler(
      phases: 1, instruments: [AllocatorInstrument(try JemallocCounters())])
    for _ in 0..<9 {
      prepare(blocks)
      sampler.measure(0) { body(blocks) }
    }
    return sampler.series(phase: 0).dropFirst().compactMap { $0.values.min() }
  }
}

/// Restarts the process of an exit test with jemalloc in place of malloc, which a running process
/// cannot change.
private enum Preload {
  static var isPossible: Bool {
    #if os(Linux)
      JemallocLibrary.path != nil
    #else
      false
    #endif
  }

  /// Returns at once in a process that already has it. Open files stay open: the test's parent
  /// listens there, and finds its request in the unchanged environment.
  static func jemalloc() {
    #if os(Linux)
      let variables = JemallocLibrary.variables([:])
      guard getenv("MALLOC_CONF") == nil else { return }
      // A test's captured values came from a file that is closed now, so these tests capture
      // nothing.
      let environment =
        lines(of: "/proc/self/environ").filter { !$0.hasPrefix("SWT_CAPTURED_VALUES=") }
        + variables.map { "\($0.key)=\($0.value)" }
      for descriptor in Int32(3)..<1_024 { _ = fcntl(descriptor, F_SETFD, 0) }
      var arguments = lines(of: "/proc/self/cmdline").map { strdup($0) } + [nil]
      var variablesOfNew = environment.map { strdup($0) } + [nil]
      execve("/proc/self/exe", &arguments, &variablesOfNew)
      fatalError("cannot start anew: \(errnoMessage())")
    #endif
  }

  private static func lines(of path: String) -> [String] {
    let bytes = FileManager.default.contents(atPath: path) ?? Data()
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }
}
