import ArgumentParser
import BenchEngine
import BenchResults
import Foundation
import MenuModel
import Testing

@testable import BenchCLI

@Suite("A shard is named by its number, or by a Job's index")
struct ShardOptionsTests {
  @Test("As typed, from 1 up to how many there are")
  func typed() throws {
    for (text, number, count) in [("2/5", 2, 5), ("1/1", 1, 1), ("10000/10000", 10_000, 10_000)] {
      let shard = try ChosenShard(typed: text, jobIndex: nil)
      #expect(shard.number == number && shard.count == count)
    }
  }

  @Test("Of a Job, whose index begins at 0; the index is no matter where a number is typed")
  func job() throws {
    #expect(try ChosenShard(typed: "job/5", jobIndex: "0").number == 1)
    #expect(try ChosenShard(typed: "job/5", jobIndex: "4").number == 5)
    #expect(try ChosenShard(typed: "2/5", jobIndex: "4").number == 2)
  }

  @Test(
    "Everything else is refused with what is valid",
    arguments: [
      "6/5", "0/5", "2of5", "2/0", "/5", "2/", "-1/5", "2/5/6", " 2/5", "2/5 ", "", "job", "job/0",
      "1/10001", "٢/٥", "1/99999999999999999999",
    ])
  func invalid(_ text: String) {
    let error = refusal { _ = try ChosenShard(typed: text, jobIndex: "0") }
    #expect(error?.status == .usage)
    #expect(error?.message == "'\(text)' is no shard")
    #expect(error?.help == "the shards of five are 1/5 to 5/5; in a Kubernetes Indexed Job job/5")
  }

  @Test("A Job without an index, or with one that is none of its shards, is refused")
  func badIndex() {
    let unset = refusal { _ = try ChosenShard(typed: "job/5", jobIndex: nil) }
    #expect(
      unset?.message == "job/5 takes its number from JOB_COMPLETION_INDEX, which is not set")
    for index in ["5", "-1", "", "one"] {
      let error = refusal { _ = try ChosenShard(typed: "job/5", jobIndex: index) }
      #expect(error?.status == .usage)
      #expect(
        error?.message == "JOB_COMPLETION_INDEX is '\(index)', which counts 5 shards from 0 to 4")
    }
  }

  @Test("Costs without a shard, and a shard that is to be a baseline, are refused")
  func alone() throws {
    #expect(try ShardOptions.parse([]).chosen(saving: nil) == nil)
    let costs = refusal { _ = try ShardOptions.parse(["--costs", "run"]).chosen(saving: nil) }
    #expect(costs?.status == .usage)
    #expect(costs?.message == "--costs is for splitting a suite, which needs --shard")
    let saved = refusal {
      _ = try ShardOptions.parse(["--shard", "1/2"]).chosen(saving: BaselineName("main"))
    }
    #expect(saved?.message == "a shard is no baseline: it lacks the rest of its suite")
  }

  @Test("Costs are the times of an earlier run, which must have some")
  func costs() throws {
    try inFolder { folder in
      let path = folder + "/run.json"
      let timed = Series(cell: cell(), phase: "encode", metric: .wall, blocks: [[7], [9]])
      try RunFile.write(run([timed]), to: path)
      let shard = try ShardOptions.parse(["--shard", "1/2", "--costs", path]).chosen(saving: nil)
      #expect(shard?.costs == [cell(): 16])
      let timeless = Series(cell: cell(), phase: "encode", metric: .wall, blocks: [[0], [0]])
      for series in [count(7), timeless] {
        try RunFile.write(run([series]), to: path)
        let error = refusal {
          _ = try ShardOptions.parse(["--shard", "1/2", "--costs", path]).chosen(saving: nil)
        }
        #expect(error?.status == .failed)
        #expect(error?.message == "\(path) holds no time to split by")
      }
    }
  }

  @Test("What is left of a suite are the shard's cells, of every backend")
  func limited() throws {
    let selection = try Selection.parse([
      "--backend", "json,plist", "--menu", "small", "--workload", "roundtrip,combo",
    ])
    let whole = try selection.resolve(in: suite)
    #expect(whole.limited(to: nil).cells == whole.cells)
    let shards = try ["1/2", "2/2", "1/3", "2/3", "3/3"].map {
      try ChosenShard(typed: $0, jobIndex: nil).split(whole)
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
