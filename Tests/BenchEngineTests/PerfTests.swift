import BenchResults
import Testing

@testable import BenchEngine
@testable import BenchProcesses

#if os(Linux)
  @Suite("What perf recorded")
  struct PerfTests {
    private static let maps = """
      55d000000000-55d000010000 r--p 00000000 fe:00 11   /app/bench
      55d000010000-55d000090000 r-xp 00010000 fe:00 11   /app/bench
      7f0000002000-7f0000008000 r-xp 00002000 fe:00 12   /usr/lib/libsqlite3.so.0
      """

    @Test("is read stack by stack, by the process's own addresses, with the kernel as one function")
    func stacks() {
      let text = """

        \t           3193f [unknown] (/usr/lib/libsqlite3.so.0)
        \t          f29d67 $s1aF (/app/bench)
        \tffffffffffffffff [unknown] ([unknown])


        \tffffffff816a43c5 memcg1_commit_charge ([kernel.kallsyms])
        \tffffffff816ac878 charge_memcg ([kernel.kallsyms])
        \t           96c98 sysmalloc (/usr/lib/x86_64-linux-gnu/libc.so.6)


        \t           3193f [unknown] (/usr/lib/libsqlite3.so.0)
        \t          f29d67 $s1aF (/app/bench)


        """
      let stacks = Perf.stacks(text, of: Self.maps, sample: 2).sorted {
        $0.values[0] < $1.values[0]
      }
      #expect(stacks.map(\.kernel) == ["in the kernel", nil])
      #expect(stacks.map(\.values) == [[2], [4]])
      #expect(stacks[1].addresses == [0x7f00_0003_193f, 0x55d0_00f2_9d67])
    }

    @Test("is nothing where the worker does not say what a sample stands for")
    func noSample() async {
      for sample in [nil, 0, 1e300] as [Double?] {
        let raw = RawProfile(
          what: .cpu, phase: "decode", maps: Self.maps, executable: "/app/bench",
          measures: [Profile.Measure(id: "cpu", unit: .nanoseconds, sample: sample)], stacks: [],
          facts: Profile.Facts())
        await #expect(
          throws: WorkloadFailure("the worker does not say what a sample of perf's stands for")
        ) {
          try await [raw].withPerfStacks()
        }
      }
    }
  }
#endif
