/// What a worker took of a phase, before anybody knows the functions' names.
public struct RawProfile: Hashable, Codable, Sendable {
  /// What was profiled.
  public var what: Profile.What
  /// The phase's id.
  public var phase: String
  /// The process's map of memory, as /proc/self/maps has it.
  public var maps: String
  /// The executable's path in the map.
  public var executable: String
  /// What each stack has a value of, the deciding one first.
  public var measures: [Profile.Measure]
  /// The stacks; equal ones are one.
  public var stacks: [Stack]
  /// How it was taken.
  public var facts: Profile.Facts
  /// What the name of the function has in it under which the phase's work begins; nil where the stacks
  /// begin there already.
  public var root: String?
  /// Files in which Callgrind wrote down functions and calls; there are no stacks then.
  public var dumps: [String] = []

  /// Makes a raw profile.
  public init(
    what: Profile.What, phase: String, maps: String, executable: String,
    measures: [Profile.Measure],
    stacks: [Stack], facts: Profile.Facts, root: String? = nil
  ) {
    self.what = what
    self.phase = phase
    self.maps = maps
    self.executable = executable
    self.measures = measures
    self.stacks = stacks
    self.facts = facts
    self.root = root
  }

  /// A stack of addresses.
  public struct Stack: Hashable, Codable, Sendable {
    /// Addresses, the innermost first, each within the function that it is of.
    public var addresses: [UInt64]
    /// What the thread was doing in the kernel, as a further, innermost function; nil where it was not.
    public var kernel: String?
    /// A value a measure.
    public var values: [Double]

    /// Makes a stack.
    public init(addresses: [UInt64], kernel: String? = nil, values: [Double]) {
      self.addresses = addresses
      self.kernel = kernel
      self.values = values
    }
  }
}
