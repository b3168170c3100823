/// Random numbers that are the same in every process and on every platform.
///
/// SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014, with the constants of S. Vigna's public-domain `splitmix64.c`. Not the standard
/// library's generators: how those map bits to ranges and shuffles is theirs to change.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence of a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The sequence's next 64 bits.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// A number from 0 up to but not including `bound`, which is at least 1.
  ///
  /// The high word of a product (D. Lemire, 2019) without its rejection step: at the sizes of menus
  /// the bias is below one part in 2^40, and every call takes exactly one number of the sequence.
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// A number of a range.
  public mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// True once in `count` times on average.
  public mutating func once(in count: Int) -> Bool {
    below(count) == 0
  }
}
