import BenchEngine
import PersistenceBackends
import Testing

@testable import BenchCLI

@Suite("A program whose suite has two backends with one name")
struct SuiteRefusalTests {
  @Test("measures neither, and its workers do not check again")
  func twice() throws {
    var twice = suite
    twice.backends.append(.json)
    for typed in [["run"], [], ["gate", "--against", "main"]] {
      let error = #expect(throws: CLIError.self) { try twice.checkNames(for: typed) }
      #expect(error?.message == "two backends are called 'json' in this program's suite")
      #expect(error?.status == .failed)
    }
    for typed in [["worker"], ["cold", "--backend=json"]] { try twice.checkNames(for: typed) }
    try suite.checkNames(for: ["run"])
  }
}
