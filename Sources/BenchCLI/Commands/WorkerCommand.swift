import ArgumentParser
import BenchHarness
import Foundation

/// Serves one block to the run that started it. Hidden: nobody types it.
struct WorkerCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "worker", abstract: "Measures one block for a run.", shouldDisplay: false)
  }

  func run() throws {
    let input = try FileHandle.standardInput.readToEnd() ?? Data()
    WorkerProcess(App.suite).serve(input)
  }
}
