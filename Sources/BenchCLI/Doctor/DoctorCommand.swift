import ArgumentParser
import BenchAnalysis
import BenchProbes
import BenchProcesses
import BenchReports
import BenchResults
import Foundation
import PersistenceBackends

struct DoctorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Checks whether this machine is fit to measure, and what it cannot measure.",
    usage: "bench doctor [<options>]")

  @Option(
    parsing: .unconditional, help: "Seconds for measuring the machine's noise. (default: 3)",
    transform: Double.typed)
  var seconds = 3.0

  @Option(help: "The folder whose file system is checked.")
  var storage = "."

  @Option(help: "table or json.")
  var format = PlainFormat.table.rawValue

  func run() async throws {
    let format: PlainFormat = try ValidNames.choice("format", format)
    try refuse("--seconds", seconds, outside: 0.1...600)
    var machine = Machine.this()
    await machine.findCountingAllocator(of: .own())
    let check = Checkup(machine: machine, storage: storage, seconds: seconds)
    Console.note(
      "checking this machine, its clock, drive and noise: about \(Wording.wait(seconds + 2))")
    let isJSON = format == .json
    try Console.output(isJSON ? try check.json() : check.text(), isForPrograms: isJSON)
    if let fault = Checkup.faultOfTemporaryFolder {
      throw CLIError(
        "nothing can be measured: \(fault)", help: "set TMPDIR to a folder that exists",
        status: .failed)
    }
  }
}

/// A format for output that is not a table of figures.
enum PlainFormat: String, CaseIterable {
  case table, json
}

/// The findings of `bench doctor`: each has a mark, a subject and a text.
struct Checkup {
  let machine: Machine
  let storage: String
  let seconds: Double

  func text() -> String {
    let findings = self.findings()
    let width = findings.map(\.subject.count).max() ?? 0
    let lines = findings.flatMap { $0.lines(subjects: width) }
    let doubts = findings.count { $0.mark == .doubt }
    let verdict =
      doubts == 0
      ? "fit to measure"
      : "\(Wording.plural(doubts, "doubt")): figures may mislead, see the lines marked !"
    return lines.joined(separator: "\n") + "\n\n\(verdict)\n"
  }

  /// Returns the findings as JSON: `is_fit`, and each finding with its mark `fine`, `doubt` or `unknown`.
  func json() throws -> String {
    let findings = self.findings()
    return try JSONValue.document(
      "doctor", by: ToolInfo.tool(),
      [
        "is_fit": .bool(!findings.contains { $0.mark == .doubt }),
        "findings": .list(
          findings.map {
            .object([
              "subject": .text($0.subject), "mark": .text("\($0.mark)"), "text": .text($0.text),
            ])
          }),
      ])
  }

  private func findings() -> [Finding] {
    place + [build] + allocators + [load, fileSystem] + temporary + clock + [probes, noise]
      + unsupported
  }

  private var place: [Finding] {
    let memory = machine.memoryBytes.map { "\(Wording.bytes(Double($0))) of memory" }
    let cores = machine.cores.map { Wording.plural($0, "core") }
    let parts = [machine.cpu, cores, memory].compactMap { $0 }
    let system = [machine.system, machine.kernel.map { "kernel \($0)" }].compactMap { $0 }
    return [
      Finding(.fine, "machine", parts.joined(separator: ", ")),
      Finding(.fine, "system", system.joined(separator: ", ")),
      Finding(
        .fine, "libraries",
        "Swift \(machine.swift ?? "unknown"), SQLite \(machine.sqlite ?? "unknown")"),
    ]
  }

  private var build: Finding {
    Build.isDebug
      ? Finding(.doubt, "build", "debug: figures say nothing about an app. Build with -c release")
      : Finding(.fine, "build", "release")
  }

  private var allocators: [Finding] {
    let counting =
      machine.countingAllocator.map {
        Finding(.fine, "counting", "allocations by \($0), in separate workers")
      }
      ?? Finding(
        .unknown, "counting",
        "no allocations: \(machine.unsupported[Metric.allocations.id] ?? "for no known reason")")
    let inherited = (machine.environment ?? [:]).sorted { $0.key < $1.key }.map {
      Finding(
        .doubt, "environment",
        "\($0.key)=\($0.value): workers inherit it, so it affects figures")
    }
    return [
      Finding(.fine, "allocator", "times are with \(machine.allocator ?? "an unknown one")"),
      counting,
    ] + inherited
  }

  private var load: Finding {
    guard let load = machine.loadAverage else { return Finding(.unknown, "load", "unknown") }
    let isBusy = load > 0.5 * Double(machine.cores ?? 1)
    return Finding(
      isBusy ? .doubt : .fine, "load",
      "\(Wording.count(load)) over one minute" + (isBusy ? ": something else is running" : ""))
  }

  private var fileSystem: Finding {
    guard let found = FileSystem(at: storage) else {
      return Finding(.unknown, "file system", "\(storage): unknown")
    }
    let doubt = found.isMemoryBacked ? ", in memory: no drive is measured" : ""
    return Finding(
      doubt.isEmpty ? .fine : .doubt, "file system", "\(storage) is \(found.type)\(doubt)")
  }

  /// Explains why files cannot be made in the temporary folder. Nil if they can. Each measuring
  /// process gets its request by such a file.
  static var faultOfTemporaryFolder: String? {
    let folder = NSTemporaryDirectory()
    return FileManager.default.isWritableFile(atPath: folder)
      ? nil : "cannot make a file in the temporary folder \(folder)"
  }

  private var temporary: [Finding] {
    Self.faultOfTemporaryFolder.map { [Finding(.doubt, "temporary", "\($0): set TMPDIR")] } ?? []
  }

  private var clock: [Finding] {
    let overhead = Overhead.measure()
    let step = machine.clockResolution.map(Wording.time) ?? "unknown"
    return [
      Finding(
        .fine, "clock",
        "smallest step \(step), two bare readings \(Wording.time(overhead.bareReadings))"),
      Finding(
        overhead.ratio <= 1.2 ? .fine : .doubt, "empty sample",
        "\(Wording.time(overhead.emptySample)), \(Wording.multiple(overhead.ratio)) two bare "
          + "readings (promised: at most 1.2×), and reads \(Wording.time(overhead.emptyReading))"),
    ]
  }

  private var probes: Finding {
    let cost = Overhead.ofInstruments(Instruments(Probe.exact).available)
    return Finding(
      cost <= 50_000 ? .fine : .doubt, "exact probes",
      "\(Wording.time(cost)) a sample, outside the timed part (promised: at most 50 µs)")
  }

  private var noise: Finding {
    let work = ControlWork()
    guard let spread = Noise.measure(seconds: seconds, work: { blackHole(work.run()) }) else {
      return Finding(.unknown, "noise", "unknown")
    }
    let cv = spread.cv.map(Wording.percent) ?? "unknown"
    let ratio = spread.worstOverBest.map(Wording.multiple) ?? "unknown"
    return Finding(
      (spread.cv ?? 1) <= 0.1 ? .fine : .doubt, "noise",
      "the same work \(spread.count) times in \(Wording.time(seconds * 1e9)): coefficient of "
        + "variation \(cv), slowest \(ratio) the fastest")
  }

  private var unsupported: [Finding] {
    Metric.all.compactMap { metric in
      machine.unsupported[metric.id].map { Finding(.unknown, metric.id, "unsupported: \($0)") }
    }
  }
}

struct Finding {
  /// The effect on figures.
  enum Mark: String {
    case fine = "ok"
    case doubt = "! "
    case unknown = "? "
  }

  let mark: Mark
  let subject: String
  let text: String

  init(_ mark: Mark, _ subject: String, _ text: String) {
    self.mark = mark
    self.subject = subject
    self.text = text.displayable
  }

  /// Returns the finding in lines of at most this width.
  ///
  /// - Parameter width: The width of the column of subjects.
  func lines(subjects width: Int, columns: Int = Console.outputWidth) -> [String] {
    [text].lines(behind: "\(mark.rawValue)  \(subject.padded(to: width))  ", columns: columns)
  }
}
