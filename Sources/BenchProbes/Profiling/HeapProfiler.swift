import BenchResults
import Foundation

/// Takes the stack of every allocation of a phase, by jemalloc's own profiler.
///
/// Works in a process started with ``JemallocLibrary/profilingVariables(_:)``: an allocation takes some
/// five microseconds there, so its times are nobody's. Source: jemalloc(3), `prof.*`.
package final class HeapProfiler: Profiler {
  private let active: JemallocControl
  private let reset: JemallocControl
  private let dump: JemallocControl
  private let path: String
  private let clock = MonotonicClock()
  private var phases: [String] = []
  private var found: [String: [[UInt64]: [Double]]] = [:]
  private var facts: [String: Profile.Facts] = [:]

  /// - Parameter path: a file for jemalloc to write to, and this to read and remove.
  /// - Throws: ``Unsupported`` in a process without jemalloc, or with one built without its profiler.
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
      let lack = "allocations are missing of runs of which jemalloc's dump could not be read"
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
      // Each once, however many runs it was met in: so are those that are lost.
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

/// The function by whose name stacks are cut that were taken up to the process's beginning.
enum PhaseMarker {
  /// What the name of ``run(_:)`` has in it.
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

/// What jemalloc writes about the allocations that it was told to follow.
///
/// Source: the text of `prof_dump` in jemalloc's prof_data.c, as its jeprof reads it: a line `@` with the
/// addresses, then `t*: live: bytes [all: bytes]` of all threads.
enum HeapDump {
  /// Each stack, with the bytes and the number of all its allocations, and of those not freed.
  static func sites(in text: String) -> [(addresses: [UInt64], values: [Double])] {
    var sites: [(addresses: [UInt64], values: [Double])] = []
    var addresses: [UInt64]?
    for line in text.split(separator: "\n") {
      if line.hasPrefix("@ ") {
        addresses = line.dropFirst(2).split(separator: " ").compactMap {
          // A return address: the call's last byte is one before.
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
