import Basics
import BenchProbes
import BenchResults
import Testing

#if os(Linux)
  /// Calls are counted for the whole process, so each test runs in a process of its own.
  struct FileIOTests {
    @Test("calls and their bytes are counted, without the instrument's own readings")
    func calls() async {
      await #expect(processExitsWith: .success) {
        let empty = try FileIOTests.calls { _ in }
        #expect(empty == [0, 0, 0, 0])
        let written = try FileIOTests.calls { file in
          _ = write(file, FileIOTests.bytes, 1_000)
        }
        #expect(written == [0, 1_000, 0, 1])
        let read = try FileIOTests.calls { file in
          let room = UnsafeMutableRawPointer.allocate(byteCount: 800, alignment: 1)
          defer { room.deallocate() }
          _ = pwrite(file, FileIOTests.bytes, 1_000, 0)
          // The last is at the end of the file.
          for offset in [0, 800, 1_000] { _ = pread(file, room, 800, off_t(offset)) }
        }
        #expect(read == [1_000, 1_000, 3, 1])
      }
    }

    @Test("with every probe at once, an empty phase still reads and writes nothing")
    func allProbes() async {
      await #expect(processExitsWith: .success) {
        let sampler = Sampler(phases: 1, instruments: Instruments(Probe.allCases).available)
        for _ in 0..<9 { sampler.measure(0) {} }
        let fileIO = Set(Probe.fileIO.metrics)
        let seen = sampler.series(phase: 0).filter { fileIO.contains($0.metric) }
        #expect(seen.map { $0.values.min() } == [0, 0, 0, 0])
      }
    }

    static var bytes: [UInt8] { [UInt8](repeating: 1, count: 1_000) }

    /// The least of nine samples. A starting thread of the test runner reads an event of 8 bytes in
    /// one of them, and other threads can only add.
    static func calls(_ body: (Int32) throws -> Void) throws -> [Double] {
      var name = Array("/tmp/bench-probes-XXXXXX".utf8CString)
      let file = mkstemp(&name)
      defer {
        close(file)
        unlink(name)
      }
      let sampler = Sampler(phases: 1, instruments: [try FileIO()])
      for _ in 0..<9 { try sampler.measure(0) { try body(file) } }
      return sampler.series(phase: 0).dropFirst().compactMap { $0.values.min() }
    }
  }
#else
  struct FileIOTests {
    @Test("a system without /proc is named as the reason")
    func unsupported() {
      #expect(throws: Unsupported.self) { try FileIO() }
    }
  }
#endif
