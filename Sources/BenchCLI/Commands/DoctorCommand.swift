import ArgumentParser
import BenchProbes
import BenchResults
import Foundation
import PersistenceBackends

/// `bench doctor`: is this machine fit to measure?
struct DoctorCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "doctor",
      abstract: "Tells whether this machine is fit to measure, and what it cannot measure.")
  }

  @Option(help: "Seconds to watch the machine's noise.")
  var seconds = 3.0

  @Option(help: "The folder whose file system is judged.")
  var storage = "."

  @Flag(help: "Measure everything that the project promises of its own speed, too.")
  var targets = false

  func run() async throws {
    guard (0.1...600).contains(seconds) else {
      throw CLIError(
        "--seconds \(seconds) makes no sense", help: "give a number from 0.1 to 600",
        status: .usage)
    }
    var machine = MachineProbe.describe()
    machine.sqlite = SQLiteLibrary.version
    let check = Checkup(machine: machine, storage: storage, seconds: seconds)
    try Console.output(check.text())
    if targets {
      try Console.output(try await Targets(suite: App.suite).text())
    }
  }
}
