/// Where a phase's cost went: stacks of functions, each with what it cost.
///
/// The contract between profiling and whatever shows, compares or explains it.
package struct Profile: Hashable, Codable, Sendable {
  package static let currentSchema = 1

  package var schema = currentSchema
  package var what: What
  package var cell: Cell
  package var phase: String
  /// What each stack has a value of, the deciding one first.
  package var measures: [Measure]
  /// Every function once.
  package var frames: [Frame]
  /// The stacks, in no order that means anything.
  package var stacks: [Stack]
  package var facts: Facts
  /// Of what and when it was taken; nil where an older program took it, or the program of another revision.
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

  /// What is wrong with a profile that contradicts itself, as one from a file may; nil of a sound one.
  package var defect: String? {
    if schema != Self.currentSchema {
      return "it has schema \(schema), and this program reads \(Self.currentSchema)"
    }
    if measures.isEmpty { return "it measures nothing" }
    for sample in measures.compactMap(\.sample) where !(1...1e15).contains(sample) {
      return "a sample stands for \(sample)"
    }
    for stack in stacks {
      // What is shown of a function takes its whole stack; our own are cut at 512 functions and the kernel's.
      if stack.frames.count > 1_024 {
        return "a stack is \(stack.frames.count) functions deep, and none may be deeper than 1024"
      }
      if let index = stack.frames.first(where: { !frames.indices.contains($0) }) {
        return "a stack has function \(index) of \(frames.count)"
      }
      if stack.values.isEmpty || stack.values.contains(where: { $0.count != measures.count }) {
        return "a stack has values of other measures than \(measures.count)"
      }
      if stack.values.joined().contains(where: { !($0 >= 0 && $0 <= 1e15) }) {
        return "a stack has a value that is none: \(stack.values)"
      }
    }
    // Less than a whole number can hold, and no more samples than anybody waits for.
    for (index, measure) in measures.enumerated() {
      let whole = stacks.reduce(0.0) { $0 + $1.total[index] }
      if whole > min(1e15, 1e9 * (measure.sample ?? 1e15)) {
        return "its stacks come to \(whole) of \(measure.id)"
      }
    }
    let counts =
      [facts.blocks, facts.runs, facts.cut, facts.lost, facts.dropped, facts.taken]
      + (facts.runsOfBlocks ?? [])
    let areCounts =
      counts.allSatisfy { $0 >= 0 } && counts.reduce(0.0) { $0 + Double($1) } <= 1e12
    return areCounts && facts.runs > 0 ? nil : "it has counts that are none: \(counts)"
  }

  package struct Origin: Hashable, Codable, Sendable {
    /// The menu's fingerprint, as of a run's ``MenuInfo``.
    package var fingerprint: String
    /// The program's revision; nil where it is not known.
    package var revision: String?
    /// When it was begun, as of a run's settings.
    package var started: String

    package init(fingerprint: String, revision: String?, started: String) {
      (self.fingerprint, self.revision, self.started) = (fingerprint, revision, started)
    }
  }

  package enum What: String, Codable, Sendable, CaseIterable {
    /// Time on the processor, and time waited, by stacks at moments of a timer.
    case cpu
    case allocations
    /// Every instruction, by Callgrind.
    case instructions
    /// Every call of the system that has to do with files.
    case io
  }

  package struct Measure: Hashable, Codable, Sendable {
    /// `cpu`, `waited`, `bytes`, `count`, ….
    package var id: String
    package var unit: Unit
    /// How much a single sample stands for; nil of what is exact, and of the times of calls.
    package var sample: Double?

    package init(id: String, unit: Unit, sample: Double? = nil) {
      self.id = id
      self.unit = unit
      self.sample = sample
    }
  }

  package struct Frame: Hashable, Codable, Sendable {
    /// Its name as people read it; of one without a name, the library and the place in it.
    package var name: String
    /// The file's name of the executable or library that it is in.
    package var module: String
    package var owner: Owner
    /// Whether the name is one, or only a place.
    package var isNamed: Bool

    package init(name: String, module: String, owner: Owner, isNamed: Bool = true) {
      self.name = name
      self.module = module
      self.owner = owner
      self.isNamed = isNamed
    }
  }

  /// Whose code a function is.
  package enum Owner: String, Codable, Sendable, CaseIterable {
    /// The measured program's own, with the packages linked into it.
    case program
    /// The Swift runtime and standard library.
    case swift
    case foundation
    case library
    /// The C library, with its allocator.
    case system
    /// The kernel, while the thread is in a call of the system.
    case kernel
  }

  package struct Stack: Hashable, Codable, Sendable {
    /// Indices of frames, the outermost first; none where the phase itself was at work.
    package var frames: [Int]
    /// A value a measure, for each block that was profiled.
    package var values: [[Double]]

    package init(frames: [Int], values: [[Double]]) {
      self.frames = frames
      self.values = values
    }

    /// Of all blocks together, a value a measure.
    package var total: [Double] {
      values.dropFirst().reduce(values.first ?? []) { zip($0, $1).map(+) }
    }
  }

  package struct Facts: Hashable, Codable, Sendable {
    /// How many processes were profiled.
    package var blocks = 0
    /// How many times the phase ran in them, all together.
    package var runs = 0
    /// How many times it ran in each of them; nil where that was not kept.
    package var runsOfBlocks: [Int]?
    /// Nanoseconds from the phase's beginning to its end, all runs together.
    package var wall = 0.0
    /// Nanoseconds of processor time that other threads of the process took meanwhile: what is sampled
    /// is the phase's own thread.
    package var otherThreads = 0.0
    /// Stacks that do not reach the phase's own frame, since they are too deep.
    package var cut = 0
    /// Stacks that the unwinder lost before that.
    package var lost = 0
    /// Stacks for which there was no room.
    package var dropped = 0
    /// Stacks in all.
    package var taken = 0
    /// Of a phase that puts one menu in the place of another: bytes of JSON in which the two differ.
    package var changedBytes: Double?
    /// What more there is to know, in words.
    package var notes: [String] = []

    package init() {}
  }
}
