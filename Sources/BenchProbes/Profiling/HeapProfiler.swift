import BenchResults
import Foundation

/// Records the stack of every allocation of a phase with jemalloc's profiler.
///
/// Works in a process started with ``JemallocLibrary/profilingVariables(_:)``. An allocation takes
/// about five microseconds there, so the times are useless. Source: jemalloc(3), `prof.*`.
package final class HeapProfiler: Profiler {
  private let active: JemallocControl
  private let reset: JemallocControl
  private let dump: JemallocControl
  private let path: String
  private let clock = MonotonicClock()
  private var phases: [String] = []
  private var found: [String: [[UInt64]: [Double]]] = [:]
  private var facts: [String: Profile.Facts] = [:]

  /// - Parameter path: a file that jemalloc writes and this profiler reads and removes.
  /// - Throws: ``Unsupported`` if the process has no jemalloc, or one built without its profiler.
  package init(path: String) throws(Unsupported) {
    guard try JemallocControl("config.prof").read(false) == true else {
      throw Unsupported(
        "this jemalloc was built without its profiler: Debian's libjemalloc2 has it")
    }
    guard try JemallocControl("opt.prof").read(false) == true else {
      throw Unsupported("this process was started without jemalloc's profiler")
    }
    active = try JemallocControl("prof.active")
    reset = try JemallocControl("prof.reset")
    dump = try JemallocControl("prof.dump")
    self.path = path
  }

  package var runs: Int { facts.values.reduce(0) { $0 + $1.runs } }

  package func perform<Result, Failure: Error>(
    _ phase: String, goingOn: Bool, _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    reset.call()
    let start = clock.now()
    _ = active.write(flag: true)
    defer {
      _ = active.write(flag: false)
      take(phase, goingOn, wall: Double(clock.now() &- start))
    }
    return try PhaseMarker.run(work)
  }

  package func forget() { (phases, found, facts) = ([], [:], [:]) }

  private func take(_ phase: String, _ goesOn: Bool, wall: Double) {
    var known = facts[phase] ?? Profile.Facts()
    defer { facts[phase] = known }
    if known.runs == 0 { phases.append(phase) }
    known.add(wall: wall, goingOn: goesOn)
    guard dump.write(text: path), let text = TextFile.read(path) else {
      let lack = "allocations of some runs are missing: jemalloc's dump could not be read"
      if !known.notes.contains(lack) { known.notes.append(lack) }
      return
    }
    unlink(path)
    for (addresses, values) in HeapDump.sites(in: text) {
      found[phase, default: [:]][addresses] =
        found[phase]?[addresses].map { zip($0, values).map(+) } ?? values
    }
  }

  package func profiles() -> [RawProfile] {
    let (maps, executable) = (StackProfiler.maps, StackProfiler.executable)
    return phases.map { phase in
      let stacks = found[phase, default: [:]].map {
        RawProfile.Stack(addresses: $0.key, values: $0.value)
      }
      var facts = facts[phase] ?? Profile.Facts()
      // Counts each stack once, however many runs it occurred in. Lost stacks count likewise.
      facts.taken = stacks.count
      return RawProfile(
        what: .allocations, phase: phase, executable: executable,
        measures: [
          Profile.Measure(id: "bytes", unit: .bytes), Profile.Measure(id: "count", unit: .count),
          Profile.Measure(id: "live", unit: .bytes),
          Profile.Measure(id: "live count", unit: .count),
        ],
        stacks: stacks, facts: facts
      ).with(\.maps, maps).with(\.root, PhaseMarker.name)
    }
  }
}

/// A marker function. Stacks that reach back to the start of the process are cut at its name.
enum PhaseMarker {
  /// A part of the symbol name of ``run(_:)``.
  static let name = "PhaseMarker.run"

  @inline(never)
  static func run<Result, Failure: Error>(
    _ work: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let result = try work()
    blackHole(result)
    return result
  }
}

/// Reads jemalloc's dump of the allocations that it traced.
///
/// Source: the output of `prof_dump` in jemalloc's prof_data.c, as its jeprof reads it. A line `@`
/// holds the addresses, and `t*: live: bytes [all: bytes]` follows for all threads.
enum HeapDump {
  /// Returns each stack with the bytes and number of all its allocations, then of those not freed.
  static func sites(in text: String) -> [(addresses: [UInt64], values: [Double])] {
    var sites: [(addresses: [UInt64], values: [Double])] = []
    var addresses: [UInt64]?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("@ ") {
        addresses = line.dropFirst(2).split(separator: " ").compactMap {
          // A return address is one past the last byte of the call.
          UInt64($0.dropFirst(2), radix: 16).map { $0 - 1 }
        }
      } else if line.hasPrefix("  t*: "), let stack = addresses {
        addresses = nil
        let numbers = line.split { !$0.isNumber }.compactMap { Double($0) }
        guard numbers.count == 4 else { continue }
        sites.append((stack, [numbers[3], numbers[2], numbers[1], numbers[0]]))
      } else if line.hasPrefix("MAPPED_LIBRARIES") {
        break
      }
    }
    return sites
  }
}
