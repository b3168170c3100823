import Testing

@testable import MenuModel

@Suite("Paths of a mapping")
struct JSONPathTests {
  @Test("are the whole file or the thing at hand, and steps to members and elements")
  func steps() throws {
    let path = try JSONPath(parsing: #"$.data['a b'][0][*].x_1["c\"'d"].*.цена['\\\'']"#)
    #expect(path.isFromRoot)
    #expect(
      path.steps == [
        .name("data"), .name("a b"), .index(0), .all, .name("x_1"), .name("c\"'d"), .all,
        .name("цена"), .name("\\'"),
      ])
    #expect(try JSONPath(parsing: "@").steps == [])
    #expect(try !JSONPath(parsing: "@.a").isFromRoot)
  }

  @Test("are written back as they could be read, with quotes where they need them")
  func writtenBack() throws {
    let steps: [JSONPath.Step] = [
      .name("a"), .name("b-c"), .name("1"), .index(7), .all, .name("'\\"),
    ]
    let text = "@" + steps.map(\.description).joined()
    #expect(text == #"@.a['b-c']['1'][7][*]['\'\\']"#)
    #expect(try JSONPath(parsing: text).steps == steps)
  }

  @Test(
    "that go beyond what a mapping knows are refused at a character",
    arguments: [
      ("", 1, "$ for the whole file or @ for the thing at hand"),
      ("name", 1, "$ for the whole file or @ for the thing at hand"),
      ("$..name", 3, "a name, or * for all"), ("$.", 3, "a name, or * for all"),
      ("$.1a", 3, "a name, or * for all"), ("$ .a", 2, ". or ["), ("$.a-b", 4, ". or ["),
      ("$[-1]", 3, "a number, a name in quotes, or *"),
      ("$[01]", 3, "a number, a name in quotes, or *"),
      ("$[99999999999999999999]", 3, "a number, a name in quotes, or *"),
      ("$[?@.a]", 3, "a number, a name in quotes, or *"), ("$[0:2]", 4, "]"), ("$['a", 5, "'"),
      ("$['a\\n']", 6, "' or \\, which are all that \\ stands before here"),
      ("$['a\\", 6, "' or \\, which are all that \\ stands before here"),
    ])
  func refused(text: String, character: Int, expected: String) {
    #expect(throws: JSONPath.Fault(character: character, expected: expected)) {
      try JSONPath(parsing: text)
    }
  }
}
