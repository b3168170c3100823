import Basics
import Testing

@Suite("Values of a JSON text and their places")
struct JSONTreeTests {
  private func tree(_ text: String) -> JSONTree { JSONTree(scanned: Array(text.utf8)) }

  /// A value and all values in it, in the order of the text.
  private func values(_ tree: JSONTree, in value: Int = JSONTree.root) -> [Int] {
    [value] + tree.children(of: value).flatMap { values(tree, in: $0) }
  }

  @Test("are known by their bytes, as are their keys, one of them twice")
  func bytes() {
    let tree = tree(" {\"é\": [1, \"x\"], \"é\": {}} \n")
    let texts = values(tree).map { String(decoding: tree.text[tree.bytes(of: $0)], as: UTF8.self) }
    #expect(texts == ["{\"é\": [1, \"x\"], \"é\": {}}", "[1, \"x\"]", "1", "\"x\"", "{}"])
    let keys: [Range<Int>?] = [nil, 2..<6, nil, nil, 18..<22]
    #expect(values(tree).map { tree.keyBytes(of: $0) } == keys)
  }

  @Test("say what they are")
  func kinds() {
    let tree = tree(#"{"\u00e9": [1, -2.5e3, true, null], "b": "x\"y"}"#)
    #expect(
      values(tree).map { tree.kind($0) }
        == [.object, .array, .number, .number, .truth, .null, .text])
    #expect(
      values(tree).map { tree.scalar($0) } == [nil, nil, "1", "-2.5e3", nil, nil, "x\"y"])
    #expect(values(tree).compactMap { tree.truth($0) } == [true])
    #expect(values(tree).compactMap { tree.key(of: $0) } == ["é", "b"])
  }

  @Test("may be the text's only one", arguments: ["5", " \"x\" ", "[]", "null\n"])
  func alone(text: String) {
    #expect(values(tree(text)) == [JSONTree.root])
  }
}
