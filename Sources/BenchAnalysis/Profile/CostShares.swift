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

/// Classifies functions by their names and their libraries.
extension Profile.Frame {
  /// Whether it converts values to a format and back: Foundation's coders, SwiftProtobuf, zstd, simdjson
  /// with our decoder, anyone's `Codable` containers, and what the compiler generates for `Codable`.
  fileprivate var isCoder: Bool {
    // A backend may also have JSON in its name.
    let words = [.foundation, .swift].contains(owner) ? ["JSON", "PropertyList", "BPlist"] : []
    if words.contains(where: { name.contains($0) }) { return true }
    return ["SwiftProtobuf", "SimdjsonBackends"].contains(module) || module.hasPrefix("libzstd")
      || module.hasPrefix("libsimdjson") || name.contains("codingContainer")
      || ["init(from:)", "encode(to:)"].contains(where: name.hasSuffix)
  }

  /// Whether it belongs to the part of Foundation that is a store.
  fileprivate var isStore: Bool {
    owner == .foundation && (name.contains("UserDefaults") || name.contains("CFPreferences"))
  }

  /// Whether it allocates or frees memory. Some functions of SQLite are named like the C library's.
  fileprivate var managesMemory: Bool {
    [.system, .swift].contains(owner) && Self.managers.contains(where: { name.hasPrefix($0) })
  }

  private static let managers = [
    "malloc", "_int_malloc", "free", "_int_free", "cfree", "__libc_free", "__libc_malloc", "calloc",
    "realloc", "_int_realloc", "__libc_calloc", "__libc_realloc", "sysmalloc", "systrim",
    "tcache_", "posix_memalign", "_int_memalign", "swift_slowAlloc", "swift_slowDealloc",
    "operator new", "operator delete", "unlink_chunk",
  ]
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
