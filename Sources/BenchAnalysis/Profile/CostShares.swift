import BenchProfiles
import BenchResults

/// The owner of a phase's time: the code that does the work, not the helpers that it calls.
package enum CostOwner: String, CaseIterable, Sendable {
  /// Waiting, mostly for the drive.
  case waiting
  /// The kernel at work: copying, and managing files and memory.
  case kernel
  /// Allocating and freeing memory.
  case allocator
  /// Converting values to a format and back, in any library: Foundation's coders, SwiftProtobuf,
  /// simdjson, zstd, and the `Codable` code of a type.
  case coder
  /// SQLite, LMDB, GRDB, and Foundation's UserDefaults, which is also a store.
  case library
  case own

  /// Classifies a stack. The innermost function decides about kernel and allocator. Otherwise the
  /// innermost function with an owner decides, because the Swift runtime, the standard library and
  /// the C library work for their caller.
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

/// The shares of a phase's time by owner.
package struct CostShares: Sendable {
  /// Nanoseconds that one run of the phase works and waits.
  package let time: Double
  /// Shares of ``time``, 0 to 1.
  package let shares: [CostOwner: Double]

  /// Adds up a profile of time. Returns nil for other profiles and without samples.
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
