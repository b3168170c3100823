import MenuModel

/// The texts of a menu being encoded, each kept once: by its bytes, so that NFC and NFD forms of one
/// name are two texts.
struct FlatTexts: ~Copyable {
  private(set) var starts: FlatWriter<UInt32>
  private(set) var bytes: FlatBuffer
  private var known: FlatTable

  init(capacity: Int) {
    starts = FlatWriter(capacity: capacity)
    bytes = FlatBuffer(capacity: capacity * 24)
    known = FlatTable(capacity: capacity)
    starts.append(0)
  }

  /// The number of a text.
  @inline(__always)
  mutating func number(of text: String) -> UInt32 {
    var text = text
    return text.withUTF8 { number(of: UnsafeRawBufferPointer($0)) }
  }

  /// The number of a text that may be absent.
  @inline(__always)
  mutating func number(of text: String?) -> UInt32 {
    guard let text else { return FlatFormat.none }
    return number(of: text)
  }

  private mutating func number(of text: UnsafeRawBufferPointer) -> UInt32 {
    let hash = FlatHash.hash(text)
    if let number = find(text, hash) { return number }
    let number = UInt32(truncatingIfNeeded: starts.count - 1)
    bytes.append(text)
    starts.append(UInt32(truncatingIfNeeded: bytes.count))
    known.insert(hash, number)
    return number
  }

  private func find(_ text: UnsafeRawBufferPointer, _ hash: UInt64) -> UInt32? {
    known.find(hash) { number in
      let start = Int(starts[number])
      let count = Int(starts[number + 1]) - start
      return areEqual(bytes.bytes(from: start, count: count), text)
    }
  }
}
