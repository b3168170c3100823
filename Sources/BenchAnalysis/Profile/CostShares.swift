import BenchProfiles
import BenchResults

/// Whose a phase's time is: of whoever does the work, not of the helpers that it calls for it.
package enum CostOwner: String, CaseIterable, Sendable {
  /// Waiting: for the drive, mostly.
  case waiting
  /// The kernel at work: copying, looking after files and memory.
  case kernel
  /// Getting and giving back memory.
  case allocator
  /// Turning values into a format and back, whoever wrote what does: Foundation's coders, SwiftProtobuf, simdjson,
  /// zstd, and what `Codable` does for a type.
  case coder
  /// SQLite, LMDB, GRDB, and Foundation's UserDefaults, which are a store as well.
  case library
  case own

  /// The rules, all of them: the innermost function decides of kernel and allocator; of everything else the
  /// innermost that is somebody's, since what the Swift runtime, the standard library and the C library do is
  /// done for their caller.
  package init(_ frames: some BidirectionalCollection<Profile.Frame>) {
    if frames.last?.owner == .kernel {
      self = .kernel
    } else if frames.last?.managesMemory == true {
      self = .allocator
    } else {
      self = frames.reversed().lazy.compactMap(Self.doer).first ?? .own
    }
  }

  private static func doer(_ frame: Profile.Frame) -> CostOwner? {
    if frame.isCoder { return .coder }
    if frame.isStore { return .library }
    return switch frame.owner {
    case .library: .library
    case .program: .own
    case .foundation, .swift, .system, .kernel: nil
    }
  }
}

/// The parts of a phase's time by whose they are.
package struct CostShares: Sendable {
  /// Nanoseconds of a run of the phase, at work and waiting.
  package let time: Double
  /// Parts of it, 0 to 1.
  package let shares: [CostOwner: Double]

  /// Adds up a profile of time; nil of another, and of one without samples.
  package init?(_ profile: Profile) {
    guard profile.what == .cpu, profile.measures.count == 2 else { return nil }
    var times: [CostOwner: Double] = [:]
    for stack in profile.stacks {
      let total = stack.total
      times[CostOwner(stack.frames.map { profile.frames[$0] }), default: 0] += total[0]
      times[.waiting, default: 0] += total[1]
    }
    let whole = times.values.reduce(0, +)
    guard whole > 0 else { return nil }
    time = whole / Double(max(profile.facts.runs, 1))
    shares = times.mapValues { $0 / whole }
  }
}
