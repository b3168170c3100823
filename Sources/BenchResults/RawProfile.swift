/// What a worker took of a phase, before anybody knows the functions' names.
package struct RawProfile: Hashable, Codable, Sendable, RecordPart {
  package var what: Profile.What
  package var phase: String
  /// The process's map of memory, as /proc/self/maps has it.
  package var maps = ""
  /// The executable's path in the map.
  package var executable: String
  /// What each stack has a value of, the deciding one first.
  package var measures: [Profile.Measure]
  /// The stacks; equal ones are one.
  package var stacks: [Stack]
  package var facts: Profile.Facts
  /// What the name of the function has in it under which the phase's work begins; nil where the stacks
  /// begin there already.
  package var root: String?
  /// Files in which Callgrind wrote down functions and calls; there are no stacks then.
  package var dumps: [String] = []

  package init(
    what: Profile.What, phase: String, executable: String, measures: [Profile.Measure],
    stacks: [Stack], facts: Profile.Facts
  ) {
    self.what = what
    self.phase = phase
    self.executable = executable
    self.measures = measures
    self.stacks = stacks
    self.facts = facts
  }

  package struct Stack: Hashable, Codable, Sendable {
    /// Addresses, the innermost first, each within the function that it is of.
    package var addresses: [UInt64]
    /// What the thread was doing in the kernel, as a further, innermost function; nil where it was not.
    package var kernel: String?
    package var values: [Double]

    package init(addresses: [UInt64], kernel: String? = nil, values: [Double]) {
      self.addresses = addresses
      self.kernel = kernel
      self.values = values
    }
  }
}
