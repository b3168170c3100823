import ArgumentParser
import BenchEngine
import BenchProcesses
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
    let cold = SubprocessColdStarter(executable: OwnExecutable.path, arguments: ["cold"])
    WorkerProcess(App.suite, tool: ToolInfo.tool(), machine: Machine.this, cold: cold).serve(input)
  }
}

/// Does the cold part of a workload for the worker that started it. Hidden: nobody types it.
struct ColdCommand<App: BenchApp>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "cold", abstract: "Does a workload's cold work for a worker.",
      shouldDisplay: false)
  }

  @Option var workload: String
  @Option var backend: String
  @Option var durability: String
  @Option(help: "The workload's own whole numbers, with commas.")
  var order = ""

  func run() throws {
    ColdProcess(App.suite).serve(
      ColdRequest(
        workload: workload, backend: backend, durability: durability,
        order: try order.split(separator: ",").map(number)))
  }

  private func number(_ text: Substring) throws -> Int {
    guard let number = Int(text) else {
      throw CLIError("'\(text)' is no whole number", status: .usage)
    }
    return number
  }
}
