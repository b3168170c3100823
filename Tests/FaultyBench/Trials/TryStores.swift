import ArgumentParser
import Basics
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends

/// Tests the promises of backends about crashes. `Tests/FaultyCalls` must be preloaded.
struct TryStores: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument(help: "Ids of backends. (default: all that promise atomic)")
  var backends: [String] = []
  @Option var durability = Durability.atomic
  @Option(help: "The shape of the menu that is saved.")
  var menu = "small"
  @Option(help: "Number of times that a writer is killed at a moment.")
  var kills = 10
  @Option(help: "Number of calls of a save at which each fault happens.")
  var calls = 4
  @Option(help: "Number of calls of a save at which a second writer saves.")
  var writers = 2
  @Option(help: "Number of saves in one trial.")
  var saves = 1
  @Option(help: "The seed of the moments and the calls.")
  var seed: UInt64 = 13
  @Flag(help: "Print JSON, not a table in Markdown.")
  var json = false

  func run() throws {
    guard let library = FaultyCalls() else {
      throw ValidationError("libFaultyCalls is not preloaded: see scripts/try-crashes")
    }
    let menu = Menu(shape: try MenuShape(parsing: menu))
    let reports = try entries().map { entry in
      if !json {
        FileHandle.standardError.write(Data("trying \(entry.id) at \(durability.rawValue)\n".utf8))
      }
      return try report(entry, menu, library)
    }
    if json {
      print(String(decoding: try JSONEncoder().encode(reports), as: UTF8.self))
    } else {
      print(TrialReport.table(of: reports, seed: seed))
    }
    if reports.contains(where: { !$0.broken.isEmpty }) { throw ExitCode.failure }
  }

  private func entries() throws -> [BackendEntry<Menu>] {
    let all = BackendRegistry.all + CrashFault.allCases.map(\.entry)
    if backends.isEmpty { return BackendRegistry.all.filter { $0.promises.contains(.atomic) } }
    return try backends.map { id in
      guard let entry = all.first(where: { $0.id == id }) else {
        throw ValidationError(
          "unknown backend '\(id)': choose from \(all.map(\.id).joined(separator: ", "))")
      }
      return entry
    }
  }

  private func report(
    _ entry: BackendEntry<Menu>, _ menu: Menu, _ library: FaultyCalls
  ) throws -> TrialReport {
    let folder = FileManager.default.temporaryDirectory.appending(path: "trial-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    guard let path = resolvedPath(folder.path) else {
      throw StoreError.system("find", folder.path)
    }
    return try report(StoreTrial(entry, durability, menu, saves: saves, in: path, library))
  }

  private func report(_ trial: StoreTrial) throws -> TrialReport {
    let log = try trial.log()
    var report = TrialReport(
      backend: trial.entry.id, durability: durability, calls: log.count, log: log.lines)
    var random = SplitMix64(seed: seed)
    for number in 0..<kills {
      let (saves, part) = (1 + random.below(5), Double(random.below(1_000)) / 1_000)
      report.add("killed at a moment", "\(number), seed \(seed)") {
        try trial.outcome(ofKillingAfter: saves, and: part)
      }
    }
    for call in sample(calls, of: log.count, &random) {
      let isWrite = log.lines.filter { $0.contains(" ") }[call - 1].hasPrefix("write ")
      for fault in [FaultyCalls.Fault.killBefore, .killAfter, .noSpace, .badDrive, .short]
      where fault != .short || isWrite {
        report.add(fault.title, "call \(call)") { try trial.outcome(of: fault, at: call) }
      }
    }
    for call in sample(writers, of: log.count, &random) {
      report.add(FaultyCalls.Fault.stopBefore.title, "call \(call)") {
        try trial.outcome(ofAnotherWriterAt: call)
      }
    }
    return report
  }

  /// Some of the numbers from 1 to the last, in order.
  private func sample(_ size: Int, of last: Int, _ random: inout SplitMix64) -> [Int] {
    Array((1...max(last, 1)).shuffled(using: &random).prefix(size)).sorted()
  }
}

extension Durability: ExpressibleByArgument {}

/// The results of the trials of one backend.
struct TrialReport: Codable {
  let backend: String
  let durability: Durability
  /// How many calls one undisturbed trial makes, and which.
  let calls: Int
  let log: [String]
  /// How many trials there were of each kind.
  private(set) var tried: [String: Int] = [:]
  /// How often each menu was there afterwards.
  private(set) var found: [String: Int] = [:]
  /// The messages of failed saves, by trial.
  private(set) var errors: [String: String] = [:]
  /// The trials after which there was none, and what there was instead.
  private(set) var broken: [String] = []

  init(backend: String, durability: Durability, calls: Int, log: [String]) {
    self.backend = backend
    self.durability = durability
    self.calls = calls
    self.log = log
  }

  /// Counts a trial.
  mutating func add(
    _ kind: String, _ which: String, _ trial: () throws -> StoreTrial.Outcome
  ) {
    tried[kind, default: 0] += 1
    do {
      switch try trial() {
      case .menu(let index, let error):
        found[index == 0 ? "old" : "new", default: 0] += 1
        if let error { errors["\(kind) (\(which))"] = error }
      case .broken(let why): broken.append("\(kind) (\(which)): \(why)")
      }
    } catch {
      broken.append("\(kind) (\(which)): \(error)")
    }
  }

  /// The reports as a page.
  static func table(of reports: [TrialReport], seed: UInt64) -> String {
    let kinds = ["killed at a moment"] + FaultyCalls.Fault.allCases.map(\.title)
    let columns = kinds.filter { kind in reports.contains { $0.tried[kind] != nil } }
    let header = ["backend", "durability", "calls of a save"] + columns + ["old", "new", "broken"]
    let rows = reports.map { report in
      ["`\(report.backend)`", "`\(report.durability.rawValue)`", "\(report.calls)"]
        + columns.map { "\(report.tried[$0] ?? 0)" }
        + ["old", "new"].map { "\(report.found[$0] ?? 0)" } + ["\(report.broken.count)"]
    }
    let rule = header.indices.map { $0 < 2 ? "---" : "---:" }
    let lines = ([header, rule] + rows).map { "| \($0.joined(separator: " | ")) |" }
    let faults = reports.flatMap { report in report.broken.map { "- `\(report.backend)`: \($0)" } }
    return (["Seed \(seed).", ""] + lines + (faults.isEmpty ? [] : [""] + faults))
      .joined(separator: "\n")
  }
}
