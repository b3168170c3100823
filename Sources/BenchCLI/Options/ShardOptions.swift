import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchResults
import Foundation

/// Which part of a suite to measure, as typed.
struct ShardOptions: ParsableArguments {
  @Option(
    help: """
      Measure shard K of N (2/5), split by menu and workload; job/5 takes K from a Kubernetes \
      Indexed Job.
      """)
  var shard: String?

  @Option(help: "Earlier run whose cell times balance the shards; the same for every shard.")
  var costs: String?

  /// The part that was typed; nil where all is to be measured.
  ///
  /// - Parameter saving: the baseline that the run is to become.
  /// - Throws: a ``CLIError`` where there is no such part, or the costs cannot be read.
  func chosen(saving: BaselineName?) throws -> ChosenShard? {
    guard let shard else {
      guard costs == nil else {
        throw CLIError(
          "--costs is for splitting a suite, which needs --shard", help: "give both, or neither",
          status: .usage)
      }
      return nil
    }
    guard saving == nil else {
      throw CLIError(
        "a shard is no baseline: it lacks the rest of its suite",
        help: "merge the shards, then: bench baseline save NAME --from RUN", status: .usage)
    }
    let index = ProcessInfo.processInfo.environment[ChosenShard.variable]
    var chosen = try ChosenShard(typed: shard, jobIndex: index)
    if let costs { chosen.costs = try Self.times(costs) }
    return chosen
  }

  private static func times(_ path: String) throws -> [Cell: Double] {
    let times = try StoredRun.read(path).timesOfCells
    guard times.values.contains(where: { $0 > 0 }) else {
      throw CLIError(
        "\(path) holds no time to split by", help: "give a run that was timed", status: .failed)
    }
    return times
  }
}

/// One of the parts of a suite.
struct ChosenShard: Equatable {
  /// Which it is, counted from 1.
  let number: Int
  /// Of how many.
  let count: Int
  /// What each cell costs; none where all cost alike.
  var costs: [Cell: Double] = [:]

  /// Where Kubernetes says which pod of an Indexed Job this is, counted from 0.
  static let variable = "JOB_COMPLETION_INDEX"
  private static let counts = 1...10_000

  /// Reads `2/5`, or `job/5`, whose number is the Job's index and one more.
  ///
  /// - Throws: a ``CLIError`` that says what is valid.
  init(typed text: String, jobIndex: String?) throws {
    guard let match = text.wholeMatch(of: /([0-9]{1,5}|job)\/([0-9]{1,5})/),
      let count = Int(match.2), Self.counts.contains(count)
    else { throw Self.invalid(text) }
    self.count = count
    if let number = Int(match.1) {
      guard (1...count).contains(number) else { throw Self.invalid(text) }
      self.number = number
    } else {
      number = try Self.number(jobIndex, of: count)
    }
  }

  private static func number(_ jobIndex: String?, of count: Int) throws -> Int {
    guard let jobIndex else {
      throw CLIError(
        "job/\(count) takes its number from \(variable), which is not set",
        help: "a Kubernetes Indexed Job sets it; elsewhere type the number: 1/\(count)",
        status: .usage)
    }
    guard let index = Int(jobIndex), (0..<count).contains(index) else {
      throw CLIError(
        "\(variable) is '\(jobIndex)', which counts \(count) shards from 0 to \(count - 1)",
        help: "give the Job as many completions as there are shards", status: .usage)
    }
    return index + 1
  }

  private static func invalid(_ text: String) -> CLIError {
    CLIError(
      "'\(text)' is no shard",
      help: "the shards of five are 1/5 to 5/5; in a Kubernetes Indexed Job job/5", status: .usage)
  }

  /// How a suite is split, with this part as the one to measure.
  func split<Document>(_ suite: Selection.Chosen<Document>) -> Split {
    var split = Split(suite.cells, into: count, costs: costs, metrics: suite.metrics)
    split.shards = [Shard(number: number)]
    split.program = OwnExecutable.checksum
    return split
  }
}

extension Selection.Chosen {
  /// The cells of a shard alone; what is known of the suite stays.
  func limited(to split: Split?) -> Self {
    guard let split else { return self }
    var chosen = self
    let numbers = split.shards.map(\.number)
    chosen.cells.removeAll { planned in
      split.shard(of: planned.cell).map { !numbers.contains($0) } ?? true
    }
    return chosen
  }
}

extension Split {
  /// What a shard measures of its suite: `shard 2 of 5 has 3 of 13 units of a menu and a workload`.
  var words: String {
    let numbers = shards.map(\.number)
    let own = units.filter { numbers.contains($0.shard) }.count
    let name = "shard \(numbers.first ?? 1) of \(count)"
    let all = Wording.plural(units.count, "unit") + " of a menu and a workload"
    return own > 0
      ? "\(name) has \(own) of \(all)"
      : "\(name) has nothing to do: there \(units.count == 1 ? "is" : "are") \(all)"
  }
}
