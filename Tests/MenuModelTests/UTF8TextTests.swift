import Basics
import Testing

@Suite("A text of bytes")
struct UTF8TextTests {
  @Test("is equal to Swift's own validation, or nil if that refuses it")
  func agrees() {
    var random = SystemRandomNumberGenerator()
    let seed = random.next()
    var draws = SplitMix64(seed: seed)
    let parts: [[UInt8]] = [
      Array("pizza".utf8), Array("пицца".utf8), Array("é🍕".utf8), [0], [0x80], [0xC3],
      [0xC0, 0x80],
      [0xED, 0xA0, 0x80], [0xF0, 0x9F, 0x8D], [0xF5], [0xFF],
    ]
    for _ in 0..<2_000 {
      let count = Int.random(in: 0..<5, using: &draws)
      let bytes = (0..<count).flatMap { _ in parts.randomElement(using: &draws) ?? [] }
      let expected = String(validating: bytes, as: UTF8.self)
      let found = bytes.withUnsafeBufferPointer { String(utf8: $0) }
      #expect(
        found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "seed \(seed): \(bytes)")
    }
  }
}
