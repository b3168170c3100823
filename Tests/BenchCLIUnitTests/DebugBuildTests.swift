import BenchProbes
import Testing

@testable import BenchCLI

@Suite("A debug build")
struct DebugBuildTests {
  @Test("is refused with the remedy, unless you insist")
  func refused() throws {
    let error = #expect(throws: CLIError.self) {
      try Build.refuseDebug(unless: false, isDebug: true)
    }
    #expect(error?.message == "this is a debug build: its figures say nothing about an app")
    #expect(
      error?.help
        == "build with 'swift build -c release' or ./scripts/bench. --allow-debug measures anyway")
    #expect(error?.status == .usage)
    try Build.refuseDebug(unless: true, isDebug: true)
    try Build.refuseDebug(unless: false, isDebug: false)
  }
}
