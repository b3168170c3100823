import BenchResults

/// Whose a phase's time is: of whoever does the work, not of the helpers that it calls for it.
package enum CostOwner: String, CaseIterable, Sendable {
  /// Waiting: for the drive, mostly.
  case waiting
  /// The kernel at work: copying, looking after files and memory.
  case kernel
  /// Getting and giving back memory.
  case allocator
  /// Turning values into a format and back: Foundation's coders, SwiftProtobuf, zstd, and what the compiler
  /// writes for `Codable`.
  case coder
  /// SQLite, LMDB, GRDB, and Foundation's UserDefaults, which are a store as well.
  case library
  /// The backend's own code.
  case own

  /// The rules, all of them: the innermost function decides of kernel and allocator; of everything else the
  /// innermost that is somebody's, since what the Swift runtime, the standard library and the C library do is
  /// done for their caller.
  package init(_ frames: some BidirectionalCollection<Profile.Frame>) {
    if let last = frames.last {
      if last.owner == .kernel {
        self = .kernel
        return
      }
      // SQLite has functions that are called like the C library's.
      if [.system, .swift].contains(last.owner),
        Self.allocators.contains(where: { last.name.hasPrefix($0) })
      {
        self = .allocator
        return
      }
    }
    self = frames.reversed().lazy.compactMap(Self.doer).first ?? .own
  }

  private static func doer(_ frame: Profile.Frame) -> CostOwner? {
    let name = frame.name
    if frame.module == "SwiftProtobuf" || frame.module.hasPrefix("libzstd")
      || frame.module.hasPrefix("libsimdjson")
      || ["init(from:)", "encode(to:)"].contains(where: name.hasSuffix)
      || coders.contains(where: { name.contains($0) })
    {
      return .coder
    }
    switch frame.owner {
    case .library: return .library
    case .program: return .own
    case .foundation: return stores.contains(where: { name.contains($0) }) ? .library : nil
    case .swift, .system, .kernel: return nil
    }
  }

  private static let stores = ["UserDefaults", "CFPreferences"]

  private static let coders = [
    "JSON", "PropertyList", "BPlist", "CodingContainer", "DecodingContainer",
  ]

  private static let allocators = [
    "malloc", "_int_malloc", "free", "_int_free", "cfree", "__libc_free", "__libc_malloc", "calloc",
    "realloc", "_int_realloc", "__libc_calloc", "__libc_realloc", "sysmalloc", "systrim",
    "unlink_chunk",
    "tcache_", "posix_memalign", "_int_memalign", "swift_slowAlloc", "swift_slowDealloc",
    "operator new", "operator delete",
  ]
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
