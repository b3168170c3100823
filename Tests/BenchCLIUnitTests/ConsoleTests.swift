import Testing

@testable import BenchCLI

@Suite("What is redrawn on a terminal")
struct ConsoleTests {
  @Test("never takes more than its line")
  func cut() {
    #expect(Console.redrawn("12345", columns: 80) == "\r12345\u{1b}[K")
    #expect(Console.redrawn("12345", columns: 5) == "\r1234\u{1b}[K")
    #expect(Console.redrawn("12345", columns: 0) == "\r\u{1b}[K")
  }
}
