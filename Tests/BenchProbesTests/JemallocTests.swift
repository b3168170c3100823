import Basics
import BenchProbes
import BenchResults
import Testing

/// Allocations are counted for the whole process, so each test runs in a process of its own.
struct JemallocTests {
  #if Jemalloc
    @Test("an empty phase allocates nothing")
    func empty() async {
      await #expect(processExitsWith: .success) {
        let seen = try JemallocTests.allocations { _ in }
        #expect(seen == [0, 0, 0])
      }
    }

    @Test("every malloc is counted, with the bytes of its size class, freed or not")
    func counts() async {
      await #expect(processExitsWith: .success) {
        let seen = try JemallocTests.allocations { blocks in
          for index in 0..<100 { blocks[index] = malloc(100) }
          for index in 0..<100 { free(blocks[index]) }
        }
        // jemalloc's size classes go 96, 112, 128.
        #expect(seen[0] == 100)
        #expect(seen[1] == 11_200)
      }
    }

    @Test("the peak counts a large block that was freed within the phase")
    func largePeak() async {
      await #expect(processExitsWith: .success) {
        let mebibyte = 1_048_576
        let seen = try JemallocTests.allocations { blocks in
          blocks[0] = malloc(mebibyte)
          free(blocks[0])
        }
        #expect(seen == [1, 1_048_576, 1_048_576])
      }
    }

    @Test("what was live before the phase is not in its peak")
    func earlierBlocks() async {
      await #expect(processExitsWith: .success) {
        let seen = try JemallocTests.allocations(after: { $0[0] = malloc(4_194_304) }) { blocks in
          free(blocks[0])
          blocks[1] = malloc(1_048_576)
        }
        #expect(seen == [1, 1_048_576, 0])
      }
    }

    @Test("a peak of small blocks is the same each time, whatever was allocated between")
    func repeatedPeak() async {
      await #expect(processExitsWith: .success) {
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

    typealias Blocks = UnsafeMutablePointer<UnsafeMutableRawPointer?>

    /// The least of nine samples: the first meets one-time set-up, and whatever other threads of the
    /// test runner do only adds.
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
  #else
    @Test("a build without jemalloc says so")
    func unsupported() {
      #expect(throws: Unsupported("built without jemalloc")) { try JemallocCounters() }
      let reasons = Instruments([.allocator]).unsupported
      #expect(
        reasons == [
          "allocations": "built without jemalloc", "allocated_bytes": "built without jemalloc",
          "peak_heap_bytes": "built without jemalloc",
        ])
    }
  #endif
}
