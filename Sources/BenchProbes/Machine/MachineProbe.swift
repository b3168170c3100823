import Basics
import BenchResults
import Foundation

package enum MachineProbe {
  /// Describes this machine and this build. Unknown properties are nil.
  ///
  /// Takes some milliseconds, since it measures the clock. Leaves two properties nil: `sqlite`, which the
  /// target that links SQLite knows, and `countingAllocator`, which belongs to another process.
  package static func describe() -> Machine {
    let cpu = self.cpu
    let process = ProcessInfo.processInfo
    return Machine(cpu: cpu.model, cores: process.activeProcessorCount, build: Build.configuration)
      .with(\.cpuFlags, cpu.flags).with(\.memoryBytes, Int(exactly: process.physicalMemory))
      .with(\.system, system).with(\.kernel, OperatingSystem.kernel).with(\.swift, Build.compiler)
      .with(\.allocator, AllocatorName.current)
      .with(\.environment, Machine.inherited(from: process.environment))
      .with(\.instructionCounter, Instructions.refusal == nil ? Instructions.source : nil)
      .with(\.loadAverage, OperatingSystem.loadAverage)
      .with(\.clockResolution, MonotonicClock().smallestStep())
      .with(\.emptySample, Overhead.measure(batches: 21).emptyReading)
      .with(\.emptyCPUSample, Overhead.emptyCPUReading())
      .with(\.unsupported, Instruments(Probe.allCases).unsupported)
  }

  /// The SQLite library that is loaded in this process, or nil if there is none or it is linked in.
  package static var loadedSQLite: String? {
    guard
      let version = LoadedSymbol.find(
        "sqlite3_libversion", as: (@convention(c) () -> UnsafePointer<CChar>).self),
      let isUsed = LoadedSymbol.find(
        "sqlite3_compileoption_used", as: (@convention(c) (UnsafePointer<CChar>) -> Int32).self)
    else { return nil }
    return SQLiteBuild.description(version: version()) { isUsed($0) }
  }

  private static var system: String? {
    #if os(macOS)
      "macOS \(ProcessInfo.processInfo.operatingSystemVersionString)"
    #elseif canImport(Darwin)
      // The device's model, such as `iPhone15,2`, is stored as the processor's name.
      "\(family) \(ProcessInfo.processInfo.operatingSystemVersionString)"
    #else
      TextFile.read("/etc/os-release").flatMap(OperatingSystem.prettyName(osRelease:))
    #endif
  }

  #if canImport(Darwin) && !os(macOS)
    private static var family: String {
      #if os(iOS)
        "iOS"
      #elseif os(tvOS)
        "tvOS"
      #elseif os(watchOS)
        "watchOS"
      #else
        "visionOS"
      #endif
    }
  #endif

  private static var cpu: CPUInfo {
    #if canImport(Darwin)
      CPUInfo(
        model: Sysctl.text("machdep.cpu.brand_string") ?? Sysctl.text("hw.machine"),
        flags: Sysctl.text("machdep.cpu.features")?.split(separator: " ").map(String.init).sorted())
    #else
      TextFile.read("/proc/cpuinfo").map(CPUInfo.init(cpuinfo:)) ?? CPUInfo()
    #endif
  }
}

package enum Build {
  /// Whether the program was compiled without optimisation, which makes its times meaningless.
  ///
  /// Only unoptimised code evaluates the condition of an `assert`, whatever flags the build system
  /// passed. SwiftPM compiles a program and all its libraries in one configuration.
  package static let isDebug: Bool = {
    var found = false
    assert(
      {
        found = true
        return true
      }())
    return found
  }()

  /// `release` or `debug`.
  package static var configuration: String { isDebug ? "debug" : "release" }

  /// The compiler's version, with its patch version if known, or nil before 6.2.
  ///
  /// Only `#if compiler` conditions reveal the version, and newer compilers satisfy them too.
  package static var compiler: String? {
    #if compiler(>=6.5)
      "6.5 or newer"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3.3)
      "6.3.3 or newer"
    #elseif compiler(>=6.3.2)
      "6.3.2"
    #elseif compiler(>=6.3.1)
      "6.3.1"
    #elseif compiler(>=6.3)
      "6.3"
    #elseif compiler(>=6.2)
      "6.2"
    #else
      nil
    #endif
  }
}

/// The first processor as `/proc/cpuinfo` describes it.
struct CPUInfo: Equatable {
  /// The model's name. For ARM it has the implementer and part (Arm, "Main ID Register").
  var model: String?
  /// The sorted feature flags, or nil if there are none.
  var flags: [String]?
}

extension CPUInfo {
  /// Reads the text of `/proc/cpuinfo`, where x86 has `flags` and ARM has `Features`.
  init(cpuinfo text: String) {
    var (implementer, part): (String?, String?) = (nil, nil)
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
        .map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 2, !parts[1].isEmpty else { continue }
      switch parts[0] {
      case "model name": model = model ?? parts[1]
      case "CPU implementer": implementer = implementer ?? parts[1]
      case "CPU part": part = part ?? parts[1]
      case "flags", "Features": flags = flags ?? parts[1].split(separator: " ").map(String.init)
      default: continue
      }
    }
    if model == nil, let implementer, let part {
      model = "ARM implementer \(implementer), part \(part)"
    }
    flags?.sort()
  }
}

extension Machine {
  /// The environment variables that replace functions of a worker, such as malloc, or tune them.
  /// Workers inherit these variables.
  private static let reachingVariables = [
    "DYLD_INSERT_LIBRARIES", "GLIBC_TUNABLES", "LD_PRELOAD", "MALLOC_CONF",
    // The variables of glibc's malloc: mallopt(3).
    "MALLOC_ARENA_MAX", "MALLOC_ARENA_TEST", "MALLOC_MMAP_MAX_", "MALLOC_MMAP_THRESHOLD_",
    "MALLOC_PERTURB_", "MALLOC_TOP_PAD_", "MALLOC_TRIM_THRESHOLD_",
  ]

  package static func inherited(from environment: [String: String]) -> [String: String] {
    environment.filter { reachingVariables.contains($0.key) }
  }
}

/// Describes the operating system and its load.
enum OperatingSystem {
  /// The kernel's release (uname(2)).
  static var kernel: String? {
    var names = utsname()
    guard uname(&names) == 0 else { return nil }
    return withUnsafeBytes(of: names.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  /// The average number of processes that were ready to run during the last minute.
  static var loadAverage: Double? {
    var load = 0.0
    return getloadavg(&load, 1) == 1 ? load : nil
  }

  /// Returns `PRETTY_NAME` from the text of `/etc/os-release` (os-release(5)).
  static func prettyName(osRelease text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix("PRETTY_NAME=") {
      let value = line.dropFirst("PRETTY_NAME=".count)
      let unquoted = value.filter { $0 != "\"" && $0 != "'" }
      return unquoted.isEmpty ? nil : unquoted
    }
    return nil
  }
}

#if canImport(Darwin)
  import Darwin

  enum Sysctl {
    /// Returns the text with this name, or nil if there is none.
    static func text(_ name: String) -> String? {
      var size = 0
      guard sysctlbyname(name, nil, &size, nil, 0) == 0, size > 0 else { return nil }
      var bytes = [UInt8](repeating: 0, count: size)
      guard sysctlbyname(name, &bytes, &size, nil, 0) == 0 else { return nil }
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
#endif
