import BenchResults
import Foundation
import Testing

@testable import BenchProbes

struct MachineTests {
  @Test("the processor is the first one described, with sorted flags, and ARM names the vendor")
  func processor() {
    let cases: [(String, String?, [String]?)] = [
      (
        "processor\t: 0\nmodel name\t: AMD EPYC: 2nd\nflags\t\t: sse2 avx fpu\n\n"
          + "processor\t: 1\nmodel name\t: other\nflags\t\t: x\n",
        "AMD EPYC: 2nd", ["avx", "fpu", "sse2"]
      ),
      ("processor\t: 0\nFeatures\t: fp asimd\nmodel name\t:\n", nil, ["asimd", "fp"]),
      (
        "processor\t: 0\nFeatures\t: fp\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n",
        "ARM implementer 0x41, part 0xd0c", ["fp"]
      ),
      ("", nil, nil), ("flags", nil, nil), (":\n:", nil, nil),
    ]
    for (text, model, flags) in cases {
      #expect(CPUInfo(cpuinfo: text) == CPUInfo(model: model, flags: flags))
    }
  }

  @Test("the system's name has no quotes")
  func prettyName() {
    let text = "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n"
    #expect(OperatingSystem.prettyName(osRelease: text) == "Debian GNU/Linux 12 (bookworm)")
    #expect(OperatingSystem.prettyName(osRelease: "PRETTY_NAME=\"\"") == nil)
    #expect(OperatingSystem.prettyName(osRelease: "") == nil)
  }

  @Test("this machine is described, with the reasons for unsupported metrics")
  func describe() {
    let machine = MachineProbe.describe()
    #expect((machine.cores ?? 0) >= 1)
    #expect((machine.memoryBytes ?? 0) > 1 << 20)
    #expect(machine.system?.isEmpty == false)
    #expect(machine.kernel?.isEmpty == false)
    #expect(machine.swift?.hasPrefix("6.") == true)
    #expect(machine.sqlite == nil)
    #expect((machine.clockResolution ?? 0) > 0)
    #expect((machine.emptySample ?? -1) >= 0)
    #expect(machine.unsupported == Instruments(Probe.allCases).unsupported)
    #if DEBUG
      #expect(machine.build == "debug")
    #else
      #expect(machine.build == "release")
    #endif
    #if canImport(Glibc)
      #expect(machine.allocator?.hasPrefix("glibc 2.") == true)
    #endif
    #expect(machine.countingAllocator == nil)
    #expect(
      machine.environment == Machine.inherited(from: ProcessInfo.processInfo.environment))
  }

  @Test("only the variables of the environment that affect measurements are kept")
  func environment() {
    let all = ["LD_PRELOAD": "libx.so", "MALLOC_CONF": "", "HOME": "/root", "TOKEN": "secret"]
    #expect(Machine.inherited(from: all) == ["LD_PRELOAD": "libx.so", "MALLOC_CONF": ""])
  }
}
