/// The cost of a phase by stacks of functions.
///
/// This is the contract between profiling and the code that shows, compares or explains profiles.
package struct Profile: Hashable, Codable, Sendable {
  package static let currentSchema = 1

  package var schema = currentSchema
  package var what: What
  package var cell: Cell
  package var phase: String
  /// The measures that each stack has a value for, the deciding one first.
  package var measures: [Measure]
  /// Every function, once.
  package var frames: [Frame]
  /// The stacks, in arbitrary order.
  package var stacks: [Stack]
  package var facts: Facts
  /// The menu, revision and time of the profile, or nil if an older program took it, or one of another revision.
  package var origin: Origin?

  package init(
    what: What, cell: Cell, phase: String, measures: [Measure], frames: [Frame],
    stacks: [Stack], facts: Facts
  ) {
    self.what = what
    self.cell = cell
    self.phase = phase
    self.measures = measures
    self.frames = frames
    self.stacks = stacks
    self.facts = facts
  }

  /// Why a profile contradicts itself, as one from a file may, or nil if it is sound.
  package var defect: String? {
    if schema != Self.currentSchema {
      return "it has schema \(schema), but this program reads \(Self.currentSchema)"
    }
    if measures.isEmpty { return "it measures nothing" }
    for sample in measures.compactMap(\.sample) where !(1...1e15).contains(sample) {
      return "a sample has the impossible weight \(sample)"
    }
    for stack in stacks {
      // Showing a function takes its whole stack. Our own stacks are cut at 512 functions, plus the kernel's.
      if stack.frames.count > 1_024 {
        return "a stack is \(stack.frames.count) functions deep, more than the limit of 1024"
      }
      if let index = stack.frames.first(where: { !frames.indices.contains($0) }) {
        return "a stack names function \(index) of \(frames.count)"
      }
      if stack.values.isEmpty || stack.values.contains(where: { $0.count != measures.count }) {
        return "a stack has values of other measures than \(measures.count)"
      }
      if stack.values.joined().contains(where: { !($0 >= 0 && $0 <= 1e15) }) {
        return "a stack has an impossible value: \(stack.values)"
      }
    }
    // Totals must fit a whole number, and no real profile has that many samples.
    for (index, measure) in measures.enumerated() {
      let whole = stacks.reduce(0.0) { $0 + $1.total[index] }
      if whole > min(1e15, 1e9 * (measure.sample ?? 1e15)) {
        return "its stacks add up to an impossible \(whole) of \(measure.id)"
      }
    }
    let counts =
      [facts.blocks, facts.runs, facts.cut, facts.lost, facts.dropped, facts.taken]
      + (facts.runsOfBlocks ?? [])
    let areCounts =
      counts.allSatisfy { $0 >= 0 } && counts.reduce(0.0) { $0 + Double($1) } <= 1e12
    return areCounts && facts.runs > 0 ? nil : "it has impossible counts: \(counts)"
  }

  package struct Origin: Hashable, Codable, Sendable {
    /// The menu's fingerprint, as in a run's ``MenuInfo``.
    package var fingerprint: String
    /// The program's revision, or nil if unknown.
    package var revision: String?
    /// When profiling began, as in a run's settings.
    package var started: String

    package init(fingerprint: String, revision: String?, started: String) {
      (self.fingerprint, self.revision, self.started) = (fingerprint, revision, started)
    }
  }

  package enum What: String, Codable, Sendable, CaseIterable {
    /// Time on the processor and time waited, from stacks sampled by a timer.
    case cpu
    case allocations
    /// Every instruction, counted by Callgrind.
    case instructions
    /// Every system call that has to do with files.
    case io
  }

  package struct Measure: Hashable, Codable, Sendable {
    /// `cpu`, `waited`, `bytes`, `count`, ….
    package var id: String
    package var unit: Unit
    /// How much one sample stands for, or nil for exact measures, and for the times of calls.
    package var sample: Double?

    package init(id: String, unit: Unit, sample: Double? = nil) {
      self.id = id
      self.unit = unit
      self.sample = sample
    }
  }

  package struct Frame: Hashable, Codable, Sendable {
    /// Its readable name; without a name, the library and the place in it.
    package var name: String
    /// The file name of the executable or library that contains it.
    package var module: String
    package var owner: Owner
    /// Whether it has a name, not only a place.
    package var isNamed: Bool

    package init(name: String, module: String, owner: Owner, isNamed: Bool = true) {
      self.name = name
      self.module = module
      self.owner = owner
      self.isNamed = isNamed
    }
  }

  /// The owner of a function's code.
  package enum Owner: String, Codable, Sendable, CaseIterable {
    /// The measured program, with the packages linked into it.
    case program
    /// The Swift runtime and standard library.
    case swift
    case foundation
    case library
    /// The C library, with its allocator.
    case system
    /// The kernel, while the thread is in a system call.
    case kernel
  }

  package struct Stack: Hashable, Codable, Sendable {
    /// Indices of frames, the outermost first, or empty if the phase itself was at work.
    package var frames: [Int]
    /// One value per measure, for each profiled block.
    package var values: [[Double]]

    package init(frames: [Int], values: [[Double]]) {
      self.frames = frames
      self.values = values
    }

    /// One value per measure, for all blocks together.
    package var total: [Double] {
      values.dropFirst().reduce(values.first ?? []) { zip($0, $1).map(+) }
    }
  }

  package struct Facts: Hashable, Codable, Sendable {
    /// The number of profiled processes.
    package var blocks = 0
    /// How often the phase ran, in all processes together.
    package var runs = 0
    /// How often it ran in each process, or nil if that was not recorded.
    package var runsOfBlocks: [Int]?
    /// Nanoseconds from the phase's beginning to its end, over all runs.
    package var wall = 0.0
    /// Nanoseconds of processor time of the process's other threads meanwhile. Only the phase's own
    /// thread is sampled.
    package var otherThreads = 0.0
    /// Stacks that are too deep to reach the phase's own frame.
    package var cut = 0
    /// Stacks that were lost before the phase's own frame.
    package var lost = 0
    /// Stacks that did not fit.
    package var dropped = 0
    /// The number of all stacks.
    package var taken = 0
    /// Further facts, in words.
    package var notes: [String] = []

    package init() {}
  }
}
