import ArgumentParser
import Testing

@testable import BenchCLI

@Suite("Help of the commands that measure")
struct HelpTests {
  private static let texts = [
    RunCommand<OwnSuite>.helpMessage(columns: 80), GateCommand<OwnSuite>.helpMessage(columns: 80),
    CompareCommand<OwnSuite>.helpMessage(columns: 80),
    ScaleCommand<OwnSuite>.helpMessage(columns: 80),
  ]

  @Test("takes 80 columns at most")
  func width() {
    for text in Self.texts {
      #expect(text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(text)")
    }
  }
}
