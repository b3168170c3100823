import Basics
import BenchProbes
import BenchResults
import Testing

struct InstrumentsTests {
  @Test("every metric of every probe is either measured or refused with a reason")
  func complete() {
    let instruments = Instruments(Probe.allCases)
    let measured = Set(instruments.available.flatMap(\.metrics).map(\.id))
    let refused = Set(instruments.unsupported.keys)
    #expect(measured.isDisjoint(with: refused))
    #expect(measured.union(refused) == Set(Probe.allCases.flatMap(\.metrics).map(\.id)))
    #expect(instruments.unsupported.values.allSatisfy { !$0.isEmpty })
  }

  @Test("instruments have the probes' order, each once")
  func order() {
    let instruments = Instruments([.cpu, .pageFaults, .cpu])
    #expect(instruments.available.flatMap(\.metrics) == [.pageFaults, .cpu])
  }

  @Test("probes measure every built-in metric except time, shares, sizes and torn reads")
  func metrics() {
    let probed = Set(Probe.allCases.flatMap(\.metrics))
    #expect(
      Set(Metric.all).subtracting(probed) == [
        .wall, .meanWall, .payloadBytes, .storedBytes, .storedPeakBytes, .usefulBytes,
        .persistenceShare,
        .tornReads, .utilisation, .missedFrames, .residentShare,
      ])
  }

  @Test("the exact probes are the allocator and file I/O")
  func exact() {
    #expect(Probe.exact == [.fileIO, .allocator])
  }

  @Test("every probe belongs to one kind of block, and exact probes to the counting allocator")
  func kinds() {
    #expect(Probe.counted == [[.fileIO, .allocator]])
    #expect(Probe.resident == [[.pageFaults, .instructions], [.residentPeak]])
    #expect(
      Set((Probe.counted + Probe.resident).joined())
        == Set(Probe.allCases).subtracting([.cpu, .touchedPages]))
  }

  @Test("touched new pages are at least as many page faults")
  func pageFaults() {
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    let sampler = Sampler(phases: 1, instruments: [PageFaults()])
    sampler.measure(0) {
      let memory = mmap(nil, 64 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
      #if os(Linux)
        madvise(memory, 64 * page, MADV_NOHUGEPAGE)
      #endif
      for index in 0..<64 { memory?.storeBytes(of: 1, toByteOffset: index * page, as: UInt8.self) }
      munmap(memory, 64 * page)
    }
    #expect(sampler.series(phase: 0).last?.values.allSatisfy { $0 >= 64 } == true)
    #expect(sampler.series(phase: 0).last?.values.count == 1)
  }

  @Test("CPU time counts the work of this thread, and no sleep")
  func cpuTime() async {
    await #expect(processExitsWith: .success) {
      let sampler = Sampler(phases: 2, instruments: [CPUTime()])
      sampler.measure(0) { usleep(50_000) }
      sampler.measure(1) { for _ in 0..<10 { blackHole(ControlWork().run()) } }
      let slept = sampler.series(phase: 0).compactMap(\.values.first)
      let worked = sampler.series(phase: 1).compactMap(\.values.first)
      try #require(slept.count == 2 && worked.count == 2)
      #expect(slept[1] < slept[0])
      #expect(worked[1] > 0)
    }
  }

  #if os(Linux)
    @Test("the resident peak includes memory that was freed, and starts again in the next phase")
    func residentPeak() async {
      await #expect(processExitsWith: .success) {
        let size = 64 << 20
        let sampler = Sampler(phases: 1, instruments: [try ResidentPeak()])
        sampler.measure(0) {
          let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
          if let memory, memory != MAP_FAILED { memset(memory, 1, size) }
          munmap(memory, size)
        }
        sampler.measure(0) {}
        let peaks = try #require(sampler.series(phase: 0).last?.values)
        try #require(peaks.count == 2)
        // The kernel counts by batches: a quarter of the block is far beyond them.
        #expect(peaks[0] - peaks[1] > Double(size) * 3 / 4)
      }
    }
  #endif
}
