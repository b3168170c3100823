import ArgumentParser
import BenchAnalysis
import BenchEngine
import BenchResults

/// The part of a suite to measure, as typed.
struct ShardOptions: ParsableArguments {
  @Option(
    help: """
      Measure shard K of N, such as 2/5: its part of the units of a menu and a workload.
      """)
  var shard: String?

  @Option(help: "Earlier run whose cell times balance the shards. Give all shards the same run.")
  var costs: String?

  /// Returns the shard that was typed, or nil if everything is to be measured.
  ///
  /// - Parameter saving: The baseline name to save the run under, if any.
  func chosen(saving: BaselineName?) throws -> ChosenShard? {
    guard let shard else {
      guard costs == nil else {
        throw CLIError(
          "--costs splits a suite into shards, so it needs --shard", help: "give both, or neither",
          status: .usage)
      }
      return nil
    }
    guard saving == nil else {
      throw CLIError(
        "a shard cannot be a baseline: it lacks the rest of its suite",
        help: "merge the shards, then: bench baseline save NAME --from RUN", status: .usage)
    }
    var chosen = try ChosenShard(typed: shard)
    guard let costs else { return chosen }
    chosen.costs = try StoredRun.read(costs).timesOfCells
    guard chosen.costs.values.contains(where: { $0 > 0 }) else {
      throw CLIError(
        "\(costs) holds no times to split by", help: "give a run with times")
    }
    return chosen
  }
}

/// One part of a suite.
struct ChosenShard: Equatable {
  /// The number of this shard, from 1.
  let number: Int
  /// The number of all shards.
  let count: Int
  /// The cost of each cell, or empty if all cost the same.
  var costs: [Cell: Double] = [:]

  /// Parses a shard such as `2/5`.
  init(typed text: String) throws {
    guard let match = text.wholeMatch(of: /([0-9]{1,5})\/([0-9]{1,5})/),
      let number = Int(match.1), let count = Int(match.2), (1...10_000).contains(count),
      (1...count).contains(number)
    else {
      throw CLIError(
        "'\(text)' is not a shard", help: "the shards of five are 1/5 to 5/5", status: .usage)
    }
    (self.number, self.count) = (number, count)
  }

  /// Splits a suite, with this part as the one to measure.
  func split(_ suite: ChosenCells) -> Split {
    var split = Split(suite.cells, into: count, costs: costs, metrics: suite.metrics)
    split.shards = [Shard(number: number)]
    split.program = OwnExecutable.checksum
    return split
  }
}

extension ChosenCells {
  /// Returns only the cells of a shard. The facts about the suite stay.
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
  /// Describes the shard's part of its suite: `shard 2 of 5 has 3 of 13 units of a menu and a workload`.
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
