import ArgumentParser
import BenchEngine
import BenchProcesses
import BenchResults
import Foundation

/// Serves one request of the run that started it. Hidden, since users do not type it.
struct WorkerCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "worker", abstract: "Measures one block for a run.", shouldDisplay: false)
  }

  func run() throws {
    let input = try FileHandle.standardInput.readToEnd() ?? Data()
    let cold = SubprocessWorker(executable: OwnExecutable.path, arguments: ["cold"])
    WorkerProcess(App.suite, tool: ToolInfo.tool(), machine: Machine.this, cold: cold).serve(input)
  }
}

/// Does a workload's cold part for the worker that started it. Hidden, since users do not type it.
struct ColdCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cold", abstract: "Does a workload's cold work for a worker.",
      shouldDisplay: false)
  }

  @Option var request: String

  func run() throws {
    guard let request = ColdRequest(request) else {
      throw CLIError("'\(request)' is not a request", status: .usage)
    }
    ColdProcess(App.suite).serve(request)
  }
}
