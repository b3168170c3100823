/// Returns the 64-bit FNV-1a hash of bytes. It is not safe against deliberate collisions.
///
/// Source: Fowler, Noll and Vo, isthe.com/chongo/tech/comp/fnv.
@inlinable
package func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
  bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
}

extension UInt64 {
  /// The number as sixteen hexadecimal digits.
  package var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
