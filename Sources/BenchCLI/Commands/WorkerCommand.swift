import ArgumentParser
import BenchHarness
import BenchResults
import Foundation

/// Serves one request of the run that started it. Hidden: nobody types it.
struct WorkerCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "worker", abstract: "Measures one block for a run.", shouldDisplay: false)
  }

  func run() throws {
    let input = try FileHandle.standardInput.readToEnd() ?? Data()
    let tool = Tool(name: ToolInfo.name, version: ToolInfo.version, revision: nil)
    let cold = SubprocessColdStarter(executable: OwnExecutable.path, arguments: ["cold"])
    WorkerProcess(App.suite, tool: tool, cold: cold).serve(input)
  }
}
