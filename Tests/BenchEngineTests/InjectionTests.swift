import Testing

@testable import BenchEngine

@Suite("The text of an injection")
struct InjectionTests {
  @Test(
    "names a phase, or a backend's phase, and the added cost",
    arguments: [
      ("decode:slowdown=5%", Injection(phase: "decode", cost: .slowdown(0.05))),
      ("decode:slowdown=0.5%", Injection(phase: "decode", cost: .slowdown(0.005))),
      (
        "json/decode:allocations=1",
        Injection(backend: "json", phase: "decode", cost: .allocations(1))
      ),
      (
        "json-zstd/encode:instructions=5000",
        Injection(backend: "json-zstd", phase: "encode", cost: .instructions(5_000))
      ),
    ])
  func parses(_ text: String, _ injection: Injection) throws {
    #expect(try Injection(parsing: text) == injection)
  }

  @Test("is written as it is read")
  func description() throws {
    for text in ["decode:slowdown=5.0%", "json/decode:allocations=1", "read:instructions=100"] {
      #expect(try Injection(parsing: text).description == text)
    }
  }

  @Test(
    "is refused in another form",
    arguments: [
      "", ":", "decode", "decode:", "decode:slowdown", ":slowdown=5%", "/decode:slowdown=5%",
      "json/:slowdown=5%", "a/b/decode:slowdown=5%", "decode:slowdown=5%=6%",
    ])
  func form(_ text: String) {
    #expect(complaint(of: text) == "'\(text)' is not of the form [BACKEND/]PHASE:COST=AMOUNT")
  }

  private func complaint(of text: String) -> String? {
    #expect(throws: InjectionError.self) { try Injection(parsing: text) }?.message
  }

  @Test("is refused with an unknown cost, with the known ones")
  func unknownCost() {
    #expect(
      complaint(of: "decode:sleep=5")
        == "unknown cost 'sleep': expected slowdown, allocations, instructions")
  }

  @Test(
    "is refused with an amount that makes no sense",
    arguments: [
      ("slowdown", "5"), ("slowdown", "0%"), ("slowdown", "-5%"), ("slowdown", "nan%"),
      ("slowdown", "inf%"), ("slowdown", "%"), ("slowdown", "10001%"), ("slowdown", ""),
      ("allocations", "0"), ("allocations", "-1"), ("allocations", "1.5"), ("allocations", "1%"),
      ("allocations", "99999999999999999999"), ("instructions", "99"), ("instructions", "many"),
      ("instructions", "9223372036854775807"),
    ])
  func amount(_ cost: String, _ amount: String) {
    #expect(complaint(of: "decode:\(cost)=\(amount)") == "'\(amount)' is not an amount of \(cost)")
  }
}
