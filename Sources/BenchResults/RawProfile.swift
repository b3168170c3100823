/// A profile of one phase as the worker recorded it: addresses in place of function names.
package struct RawProfile: Hashable, Codable, Sendable, RecordPart {
  package var what: Profile.What
  package var phase: String
  /// The process's memory map, in the form of /proc/self/maps.
  package var maps = ""
  /// The path of the executable in the map.
  package var executable: String
  /// The measures that each stack has a value for, the deciding one first.
  package var measures: [Profile.Measure]
  /// The stacks, each distinct one once.
  package var stacks: [Stack]
  package var facts: Profile.Facts
  /// A part of the name of the function under which the phase's work begins, or nil if the stacks
  /// already begin there.
  package var root: String?
  /// Files into which Callgrind wrote functions and calls. If there are any, there are no stacks.
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
    /// Addresses, the innermost first, each inside its function.
    package var addresses: [UInt64]
    /// The thread's work in the kernel, shown as the innermost function; nil outside of the kernel.
    package var kernel: String?
    package var values: [Double]

    package init(addresses: [UInt64], kernel: String? = nil, values: [Double]) {
      self.addresses = addresses
      self.kernel = kernel
      self.values = values
    }
  }
}
