import BenchResults
import Foundation

/// Finds out where a run is being measured.
public enum MachineProbe {
  /// Describes this machine and this build; what cannot be found out is nil.
  ///
  /// Takes some milliseconds, since it measures the clock. Leaves `sqlite` nil: the target that links
  /// SQLite knows its version.
  public static func describe() -> Machine {
    let cpu = self.cpu
    return Machine(
      cpu: cpu.model, cpuFlags: cpu.flags,
      cores: ProcessInfo.processInfo.activeProcessorCount,
      memoryBytes: Int(exactly: ProcessInfo.processInfo.physicalMemory),
      system: system, kernel: OperatingSystem.kernel, swift: Build.compiler,
      allocator: AllocatorName.current,
      instructionCounter: Instructions.refusal == nil ? Instructions.source : nil,
      build: Build.configuration,
      loadAverage: OperatingSystem.loadAverage,
      clockResolution: MonotonicClock().smallestStep(),
      emptySample: Overhead.measure(batches: 21).emptyReading,
      emptyCPUSample: Overhead.emptyCPUReading(),
      unsupported: Instruments(Probe.allCases).unsupported)
  }

  private static var system: String? {
    #if canImport(Darwin)
      "macOS \(ProcessInfo.processInfo.operatingSystemVersionString)"
    #else
      TextFile.read("/etc/os-release").flatMap(OperatingSystem.prettyName(osRelease:))
    #endif
  }

  private static var cpu: CPUInfo {
    #if canImport(Darwin)
      CPUInfo(
        model: Sysctl.text("machdep.cpu.brand_string"),
        flags: Sysctl.text("machdep.cpu.features")?.split(separator: " ").map(String.init).sorted())
    #else
      TextFile.read("/proc/cpuinfo").map(CPUInfo.init(cpuinfo:)) ?? CPUInfo()
    #endif
  }
}
