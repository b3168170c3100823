/// The values of a JSON text with the place of each, so that a message can lead somebody there.
///
/// They keep their order, and keys that stand there twice: Foundation's decoder keeps neither.
/// One flat array, children as linked lists: a file may have millions of values.
package struct JSONTree: Sendable {
  /// What a value is.
  package enum Kind: Sendable {
    case object
    case array
    case text
    case number
    case truth
    case null
  }

  private struct Node: Sendable {
    var kind: Kind
    var start: Int32
    var end: Int32
    /// The key that it stands under, by its quotes; twice 0 where it stands under none.
    var keyStart: Int32
    var keyEnd: Int32
    var firstChild: Int32 = -1
    var nextSibling: Int32 = -1
  }

  /// The text, which is JSON.
  package let text: [UInt8]
  private var nodes: [Node] = []
  private var offset = 0

  /// Takes apart a text that ``JSONScanner`` has found to be JSON; traps on others, and on 2 GiB or more.
  package init(scanned text: [UInt8]) {
    self.text = text
    _ = value(key: 0..<0)
  }

  /// The value that all others are in.
  package static let root = 0

  /// What a value is.
  package func kind(_ value: Int) -> Kind { nodes[value].kind }

  /// The values of an array or object, in their order; none of anything else.
  package func children(of value: Int) -> some Sequence<Int> {
    sequence(state: nodes[value].firstChild) { next in
      guard next >= 0 else { return nil }
      defer { next = nodes[Int(next)].nextSibling }
      return Int(next)
    }
  }

  /// The key that a value stands under; nil where it stands in an array or nowhere.
  package func key(of value: Int) -> String? {
    keyBytes(of: value).map { JSONScanner.string(text[$0]) }
  }

  /// The bytes of that key, with its quotes.
  package func keyBytes(of value: Int) -> Range<Int>? {
    let node = nodes[value]
    return node.keyEnd > 0 ? Int(node.keyStart)..<Int(node.keyEnd) : nil
  }

  /// The bytes of a value, with quotes and brackets.
  package func bytes(of value: Int) -> Range<Int> {
    Int(nodes[value].start)..<Int(nodes[value].end)
  }

  /// What a text says, and a number as it is written; nil for anything else.
  package func scalar(_ value: Int) -> String? {
    switch nodes[value].kind {
    case .text: JSONScanner.string(text[bytes(of: value)])
    case .number: String(decoding: text[bytes(of: value)], as: UTF8.self)
    default: nil
    }
  }

  /// Whether it says true; nil where it is no truth value.
  package func truth(_ value: Int) -> Bool? {
    nodes[value].kind == .truth ? text[Int(nodes[value].start)] == UInt8(ascii: "t") : nil
  }
}

extension JSONTree {
  private mutating func value(key: Range<Int>) -> Int {
    skipSpace()
    let index = nodes.count
    let kind: Kind =
      switch text[offset] {
      case UInt8(ascii: "{"): .object
      case UInt8(ascii: "["): .array
      case UInt8(ascii: "\""): .text
      case UInt8(ascii: "t"), UInt8(ascii: "f"): .truth
      case UInt8(ascii: "n"): .null
      default: .number
      }
    nodes.append(
      Node(
        kind: kind, start: Int32(offset), end: 0, keyStart: Int32(key.lowerBound),
        keyEnd: Int32(key.upperBound)))
    switch kind {
    case .object, .array: elements(of: index, haveKeys: kind == .object)
    case .text: skipString()
    case .number, .truth, .null: skipWord()
    }
    nodes[index].end = Int32(offset)
    return index
  }

  private mutating func elements(of parent: Int, haveKeys: Bool) {
    offset += 1
    var last = -1
    while true {
      skipSpace()
      if text[offset] == UInt8(ascii: ",") {
        offset += 1
        skipSpace()
      }
      guard text[offset] != UInt8(ascii: "}"), text[offset] != UInt8(ascii: "]") else { break }
      var key = 0..<0
      if haveKeys {
        let start = offset
        skipString()
        key = start..<offset
        skipSpace()
        offset += 1
      }
      let child = value(key: key)
      if last < 0 {
        nodes[parent].firstChild = Int32(child)
      } else {
        nodes[last].nextSibling = Int32(child)
      }
      last = child
    }
    offset += 1
  }

  private mutating func skipSpace() {
    while offset < text.count, text[offset] <= UInt8(ascii: " ") { offset += 1 }
  }

  private mutating func skipString() {
    offset += 1
    while text[offset] != UInt8(ascii: "\"") {
      offset += text[offset] == UInt8(ascii: "\\") ? 2 : 1
    }
    offset += 1
  }

  private mutating func skipWord() {
    while offset < text.count {
      switch text[offset] {
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), ...UInt8(ascii: " "): return
      default: offset += 1
      }
    }
  }
}
