import BenchDocuments
import Testing

@Suite("A checksum")
struct ChecksumTests {
  private func checksum(_ feed: (inout Checksum) -> Void) -> Checksum {
    var checksum = Checksum()
    feed(&checksum)
    return checksum
  }

  @Test("differs after a change of any byte of a text of any length")
  func everyByte() {
    for length in 0...40 {
      let bytes = (0..<length).map { UInt8(97 + $0 % 26) }
      let original = checksum { $0.add(String(decoding: bytes, as: UTF8.self)) }
      for index in bytes.indices {
        var changed = bytes
        changed[index] ^= 1
        #expect(checksum { $0.add(String(decoding: changed, as: UTF8.self)) } != original)
      }
    }
  }

  @Test("is the same for a text and for its UTF-8, at any address")
  func unaligned() {
    for length in 0...40 {
      let bytes = [0] + (0..<length).map { UInt8(97 + $0 % 26) }
      let text = String(decoding: bytes.dropFirst(), as: UTF8.self)
      let inPlace = bytes.withUnsafeBytes { all in
        checksum { $0.add(utf8: UnsafeRawBufferPointer(rebasing: all.dropFirst())) }
      }
      #expect(inPlace == checksum { $0.add(text) })
    }
  }

  @Test("counts its bytes")
  func bytes() {
    #expect(Checksum().bytes == 0)
    #expect(checksum { $0.add(1) }.bytes == 8)
    #expect(checksum { $0.add(0.5) }.bytes == 8)
    #expect(checksum { $0.add(true) }.bytes == 1)
    #expect(checksum { $0.add("пицца") }.bytes == 10)
    #expect(checksum { $0.add(nil as Int?) }.bytes == 1)
    #expect(checksum { $0.add(7 as Int?) }.bytes == 9)
    #expect(checksum { $0.add(nil as Bool?) }.bytes == 1)
    #expect(checksum { $0.add(false as Bool?) }.bytes == 2)
    #expect(checksum { $0.addAll([1, 2]) { $1.add($0) } }.bytes == 24)
  }

  @Test("depends on order, absence, and the boundary between two texts")
  func structure() {
    #expect(
      checksum {
        $0.add(1); $0.add(2)
      }
        != checksum {
          $0.add(2); $0.add(1)
        })
    #expect(checksum { $0.add(nil as Int?) } != checksum { $0.add(0 as Int?) })
    #expect(checksum { $0.add(nil as String?) } != checksum { $0.add("" as String?) })
    #expect(checksum { $0.add(nil as Bool?) } != checksum { $0.add(false as Bool?) })
    #expect(checksum { $0.add(false as Bool?) } != checksum { $0.add(true as Bool?) })
    #expect(
      checksum {
        $0.add("ab"); $0.add("c")
      }
        != checksum {
          $0.add("a"); $0.add("bc")
        })
    #expect(checksum { $0.add(0.0) } != checksum { $0.add(-0.0) })
    #expect(checksum { $0.add("\u{e9}") } != checksum { $0.add("e\u{301}") })
    #expect(checksum { $0.add(0) } != checksum { _ in })
  }

  @Test("is the same in every process")
  func fixed() {
    let sum = checksum { sum in
      sum.add(7)
      sum.add("Маргарита")
      sum.add(true)
      sum.add(nil as Double?)
    }
    #expect(sum.description == "8ade5ea469ac31d9")
    #expect(Checksum().description == "c9d874ca57d9e055")
  }
}
