/// A generator of random numbers that are the same in every process and on every platform.
///
/// SplitMix64: G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators",
/// OOPSLA 2014, with the constants of S. Vigna's public-domain `splitmix64.c`. The standard library
/// is no substitute: it may change how it maps bits to ranges and shuffles.
public struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Starts the sequence for a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// Returns the next 64 bits of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number from 0 up to but not including `bound`, which must be at least 1.
  ///
  /// Takes the high word of a product (D. Lemire, 2019) without the rejection step. For menus the
  /// bias is below one part in 2^40, and every call uses exactly one number of the sequence.
  public mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(bound)).high)
  }

  /// Returns a number in a range.
  public mutating func within(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.upperBound - range.lowerBound + 1)
  }

  /// Returns true once in `count` calls on average.
  public mutating func once(in count: Int) -> Bool {
    below(count) == 0
  }
}
