import ArgumentParser
import BenchEngine
import BenchResults
import Foundation
import MenuModel
import Testing

@testable import BenchCLI

@Suite("A shard is named by its number")
struct ShardOptionsTests {
  @Test("It is read from 1 up to the number of shards")
  func typed() throws {
    for (text, number, count) in [("2/5", 2, 5), ("1/1", 1, 1), ("10000/10000", 10_000, 10_000)] {
      let shard = try ChosenShard(typed: text)
      #expect(shard.number == number && shard.count == count)
    }
  }

  @Test(
    "Other texts are refused with what is valid",
    arguments: [
      "6/5", "0/5", "2of5", "2/0", "/5", "2/", "-1/5", "2/5/6", " 2/5", "2/5 ", "", "job/5",
      "1/10001", "٢/٥", "1/99999999999999999999",
    ])
  func invalid(_ text: String) {
    let error = refusal { _ = try ChosenShard(typed: text) }
    #expect(error?.status == .usage)
    #expect(error?.message == "'\(text)' is not a shard")
    #expect(error?.help == "the shards of five are 1/5 to 5/5")
  }

  @Test("Costs without a shard, and a shard as a baseline, are refused")
  func alone() throws {
    #expect(try ShardOptions.parse([]).chosen(saving: nil) == nil)
    let costs = refusal { _ = try ShardOptions.parse(["--costs", "run"]).chosen(saving: nil) }
    #expect(costs?.status == .usage)
    #expect(costs?.message == "--costs splits a suite into shards, so it needs --shard")
    let saved = refusal {
      _ = try ShardOptions.parse(["--shard", "1/2"]).chosen(saving: BaselineName("main"))
    }
    #expect(saved?.message == "a shard cannot be a baseline: it lacks the rest of its suite")
  }

  @Test("Costs are the times of an earlier run, which must have some")
  func costs() throws {
    try inFolder { folder in
      let path = folder + "/run.json"
      func write(seconds: Double?) throws {
        var record = run([count(7)])
        record.outcomes = [
          Outcome(cell: cell(), timedBlocks: 2, stop: .blocks).with(\.seconds, seconds)
        ]
        try RunFile.write(record, to: path)
      }
      try write(seconds: 16)
      let shard = try ShardOptions.parse(["--shard", "1/2", "--costs", path]).chosen(saving: nil)
      #expect(shard?.costs == [cell(): 16e9])
      for seconds in [nil, 0] as [Double?] {
        try write(seconds: seconds)
        let error = refusal {
          _ = try ShardOptions.parse(["--shard", "1/2", "--costs", path]).chosen(saving: nil)
        }
        #expect(error?.status == .failed)
        #expect(error?.message == "\(path) holds no times to split by")
      }
    }
  }

  @Test("A shard has its cells of the suite, for every backend")
  func limited() throws {
    let selection = try Selection.parse([
      "--backend", "json,plist", "--menu", "small", "--workload", "roundtrip,combo",
    ])
    let whole = try selection.resolve(in: suite)
    #expect(whole.limited(to: nil).cells == whole.cells)
    let shards = try ["1/2", "2/2", "1/3", "2/3", "3/3"].map {
      try ChosenShard(typed: $0).split(whole)
    }
    let parts = shards.map { whole.limited(to: $0) }
    #expect(parts.map(\.cells.count) == [2, 2, 2, 2, 0])
    #expect(Set(parts[0].cells + parts[1].cells) == Set(whole.cells))
    for part in parts {
      #expect(Set(part.cells.map(\.cell.workload)).count == (part.cells.isEmpty ? 0 : 1))
      #expect(part.menus.map(\.name) == ["small"])
    }
    #expect(shards[0].words == "shard 1 of 2 has 1 of 2 units of a menu and a workload")
    #expect(
      shards[4].words
        == "shard 3 of 3 has nothing to do: there are 2 units of a menu and a workload")
  }
}
