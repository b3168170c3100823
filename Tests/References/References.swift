import BenchAnalysis
import BenchResults
import Foundation
import MenuModel
import MenuSources

/// Measures how much a menu costs with the libraries alone, compared with `bench` on their backends.
///
/// References have no backends, phases or instruments. Each has a few lines for a library and a clock
/// around each of its calls, in a fresh process for each round. Rounds alternate with runs of `bench`.
/// The result is the median of the rounds' ratios with its 95 % interval
/// (``BenchAnalysis/Statistics/interval(ofTypical:)``).
///
/// `References try` measures nothing. It runs each reference once on a small menu, and checks that it
/// reads the menu that it wrote.
///
///     References BENCH [ROUNDS]
///     References try
@main
enum References {
  /// The phases of backends that have a reference.
  static let all: [(backend: String, phases: [String], measure: @Sendable () throws -> Laps)] = [
    ("json", ["encode", "write", "read", "decode"], JSONAlone.measure),
    ("protobuf", ["encode", "write", "read", "decode"], ProtobufAlone.measure),
    ("sqlite", ["write", "read"], SQLiteAlone.measure),
    ("sqlite-grdb", ["write", "read"], GRDBAlone.measure),
    ("lmdb", ["encode", "write", "read", "decode"], LMDBAlone.measure),
    ("raw-response", ["write", "read", "decode"], JSONAlone.measureResponse),
  ]

  /// Whether the references are only tried.
  private static let isTrial = CommandLine.arguments.dropFirst() == ["try"]

  /// The two revisions that `bench run --menu large` stores alternately.
  static let menus: [Menu] = {
    let menu = Menu(shape: MenuShape(isTrial ? .small : .large))
    return [menu, menu.revised(1)]
  }()

  static func main() throws {
    let arguments = CommandLine.arguments
    if arguments.count == 3, arguments[1] == "round" {
      guard let reference = all.first(where: { $0.backend == arguments[2] }) else {
        throw Problem("no reference for '\(arguments[2])'")
      }
      for (phase, median) in try reference.measure().medians { print(phase, median) }
      return
    }
    guard !isTrial else {
      for reference in all {
        let found = try reference.measure().medians.map(\.0)
        guard found == reference.phases else {
          throw Problem("\(reference.backend) has phases \(found), not \(reference.phases)")
        }
        print(reference.backend, found.joined(separator: " "))
      }
      return
    }
    guard arguments.count > 1 else {
      throw Problem("say where bench is: References BENCH [ROUNDS]")
    }
    try compare(with: arguments[1], rounds: arguments.count > 2 ? Int(arguments[2]) ?? 0 : 15)
  }

  private static func compare(with bench: String, rounds: Int) throws {
    guard rounds >= 6 else { throw Problem("fewer than 6 rounds have no interval") }
    var alone: [String: [Double]] = [:]
    var measured: [String: [Double]] = [:]
    let folder = FileManager.default.temporaryDirectory.path + "/references-\(getpid())"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for round in 1...rounds {
      FileHandle.standardError.write(Data("round \(round) of \(rounds)\n".utf8))
      for reference in all {
        let lines = try output(of: CommandLine.arguments[0], ["round", reference.backend])
        for line in lines.split(separator: "\n") {
          let words = line.split(separator: " ")
          guard words.count == 2, let time = Double(words[1]) else { continue }
          alone["\(reference.backend) \(words[0])", default: []].append(time)
        }
      }
      _ = try output(
        of: bench,
        [
          "run", "--backend", all.map(\.backend).joined(separator: ","), "--menu", "large",
          "--metrics", "wall", "--blocks", "1", "--out", folder,
        ])
      for series in try RunFile.read(folder + "/run.json").cells where series.metric.id == "wall" {
        guard let median = Statistics.median(Array(series.blocks.joined())) else { continue }
        measured["\(series.cell.backend) \(series.phase)", default: []].append(median)
      }
    }
    print("| backend | phase | library alone | bench | ratio | 95 % interval |")
    print("| --- | --- | ---: | ---: | ---: | ---: |")
    for reference in all {
      for phase in reference.phases { try row(reference.backend, phase, alone, measured) }
    }
  }

  private static func row(
    _ backend: String, _ phase: String, _ alone: [String: [Double]], _ measured: [String: [Double]]
  ) throws {
    guard let ours = measured["\(backend) \(phase)"], let theirs = alone["\(backend) \(phase)"],
      ours.count == theirs.count
    else { throw Problem("\(backend) \(phase) was not measured in every round") }
    let ratios = zip(ours, theirs).map(/)
    guard let ratio = Statistics.median(ratios), let own = Statistics.median(ours),
      let library = Statistics.median(theirs), let bounds = Statistics.interval(ofTypical: ratios)
    else { throw Problem("\(backend) \(phase) has too few rounds") }
    print(
      "| \(backend) | \(phase) | \(microseconds(library)) | \(microseconds(own)) "
        + String(format: "| %.2f | %.2f–%.2f |", ratio, bounds.low, bounds.high))
  }

  private static func microseconds(_ nanoseconds: Double) -> String {
    String(format: "%.0f µs", nanoseconds / 1_000)
  }

  private static func output(of program: String, _ arguments: [String]) throws -> String {
    let (process, pipe) = (Process(), Pipe())
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Problem(
        "\(program) \(arguments.joined(separator: " ")) ended with \(process.terminationStatus)")
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The reason why a reference cannot be measured.
struct Problem: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// The times of each phase, lap by lap.
struct Laps {
  private var phases: [String] = []
  private var times: [String: [Double]] = [:]

  /// The median of each phase's laps, in nanoseconds. The first three laps warm up.
  var medians: [(String, Double)] {
    phases.compactMap { phase in
      Statistics.median(Array((times[phase] ?? []).dropFirst(3))).map { (phase, $0) }
    }
  }

  mutating func time<Result>(_ phase: String, _ work: () throws -> Result) rethrows -> Result {
    let clock = ContinuousClock()
    let start = clock.now
    let result = try work()
    let taken = start.duration(to: clock.now)
    if times[phase] == nil { phases.append(phase) }
    times[phase, default: []].append(
      Double(taken.components.seconds) * 1e9
        + Double(taken.components.attoseconds) / 1e9)
    return result
  }

  /// Laps in a folder of their own. Their numbers choose between the two revisions.
  static func run(_ lap: (inout Laps, Int, String) throws -> Void) throws -> Laps {
    let folder = FileManager.default.temporaryDirectory.path + "/reference-\(getpid())"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var laps = Laps()
    for turn in 0..<13 { try lap(&laps, turn, folder) }
    return laps
  }
}
