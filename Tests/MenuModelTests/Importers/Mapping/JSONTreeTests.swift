import Basics
import Foundation
import Testing

@testable import MenuModel

@Suite("Values of a JSON text and their places")
struct JSONTreeTests {
  private func tree(_ text: String) -> JSONTree { JSONTree(scanned: Array(text.utf8)) }

  @Test("come in the order of the text, with keys, places and words for what they are")
  func values() {
    let tree = tree(
      """
      {"a": [1, -2.5e3, true, null],
       "b c": {"é\\u0021": "x\\"y", "e": {}},
       "f": []}
      """)
    let places = (0..<tree.count).map { "\(tree.place(of: $0)): \(tree.words(for: $0))" }
    #expect(
      places == [
        "$, line 1: an object with a, b c, f", "$.a, line 1: an array",
        "$.a[0], line 1: a number 1",
        "$.a[1], line 1: a number -2.5e3", "$.a[2], line 1: true", "$.a[3], line 1: null",
        "$['b c'], line 2: an object with é!, e", "$['b c']['é!'], line 2: a text \"x\\\"y\"",
        "$['b c'].e, line 2: an empty object", "$.f, line 3: an empty array",
      ])
  }

  @Test("are known by their bytes, as are their keys, one of them twice")
  func bytes() {
    let tree = tree(" {\"é\": [1, \"x\"], \"é\": {}} \n")
    let texts = (0..<tree.count).map {
      String(decoding: tree.text[tree.bytes(of: $0)], as: UTF8.self)
    }
    #expect(texts == ["{\"é\": [1, \"x\"], \"é\": {}}", "[1, \"x\"]", "1", "\"x\"", "{}"])
    let keys: [Range<Int>?] = [nil, 2..<6, nil, nil, 18..<22]
    #expect((0..<tree.count).map { tree.keyBytes(of: $0) } == keys)
  }

  @Test("are as many as Foundation finds in a generated menu")
  func manyValues() throws {
    let data = try MenuFile.encode(Menu(shape: MenuShape(.small)))
    func count(_ value: Any) -> Int {
      switch value {
      case let object as [String: Any]: 1 + object.values.reduce(0) { $0 + count($1) }
      case let array as [Any]: 1 + array.reduce(0) { $0 + count($1) }
      default: 1
      }
    }
    #expect(
      JSONTree(scanned: Array(data)).count == count(try JSONSerialization.jsonObject(with: data)))
  }

  @Test("may be the text's only one", arguments: ["5", " \"x\" ", "[]", "null\n"])
  func alone(text: String) {
    #expect(tree(text).count == 1)
    #expect(tree(text).path(to: JSONTree.root) == "$")
  }
}
