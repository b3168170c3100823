import Testing

@testable import BenchCLI

@Suite("A baseline's name leads only into its folder")
struct BaselineNameTests {
  @Test(
    "Letters, digits, dots, underscores and hyphens make a name, and so does a branch's name",
    arguments: [
      "main", "v1.2.3", "A_b-9", "a..b", "feature/login", "a/b@c#1+2",
      String(repeating: "x", count: 100),
    ])
  func valid(_ text: String) { #expect(BaselineName(text)?.description == text) }

  @Test(
    "Other texts are not a name",
    arguments: [
      "", ".", "..", ".hidden", "../main", "a/../b", "a//b", "a/", "/main", "a b", "a\n", "a\0",
      "naïve", "e\u{301}",
      "main\\x", "~", String(repeating: "x", count: 101),
    ])
  func invalid(_ text: String) { #expect(BaselineName(text) == nil) }
}
