import BenchResults

extension Fixture {
  /// Workloads with their own charts: readers during writes, revisions that replace each other, and
  /// a launch.
  static func workloads() -> RunRecord {
    var record = run(blocks: 6)
    (record.cells, record.outcomes, record.failures) = ([], [], [])
    for (number, backend) in ["json", "plist", "sqlite"].enumerated() {
      let factor = Double(number + 1)
      let contention = Work(backend, "contention")
      record.cells += [
        contention.times("read", 6) { block, sample in
          // One reading in fifty waits for the writer.
          (sample == 49 ? 9e6 : 4e5 + 1_000 * Double((sample * 7 + block) % 50)) * factor
        },
        contention.times("replace", 6, samples: 5) { _, sample in
          (2e6 + 1e5 * Double(sample)) * factor
        },
        Series(
          cell: contention.cell, phase: "read", metric: .utilisation,
          blocks: (0..<6).map { [24 * factor + Double($0)] }),
      ]
      let replace = Work(backend, "replace")
      record.cells += [
        replace.times("replace", 6, samples: 20) { _, sample in
          (3e6 + 1e5 * Double(sample)) * factor
        },
        Series(
          cell: replace.cell, phase: "replace", metric: .storedPeakBytes,
          blocks: Array(
            repeating: (0..<20).map { 1e5 * factor * (1 + 0.2 * Double(number * min($0, 12))) },
            count: 2)),
        Series(
          cell: replace.cell, phase: "replace", metric: .storedBytes,
          blocks: [[1e5 * factor], [1e5 * factor]]),
      ]
      let launch = Work(backend, "launch-flow")
      for (place, phase) in ["network", "parse", "store", "read-back", "map"].enumerated() {
        record.cells.append(
          launch.times(phase, 6, samples: 3) { block, sample in
            Double(5 - place) * 4e6 * (place == 0 ? 1 : factor) + 5e4 * Double(block + sample)
          })
      }
    }
    return record
  }

  private struct Work {
    let cell: Cell

    init(_ backend: String, _ workload: String) {
      cell = Cell(backend: backend, menu: "large", workload: workload, durability: "atomic")
    }

    func times(
      _ phase: String, _ blocks: Int, samples: Int = 50, _ value: (Int, Int) -> Double
    ) -> Series {
      Series(
        cell: cell, phase: phase, metric: .wall,
        blocks: (0..<blocks).map { block in (0..<samples).map { value(block, $0) } })
    }
  }
}
