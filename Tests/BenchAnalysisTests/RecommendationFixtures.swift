import BenchAnalysis
import BenchResults

func cell(_ backend: String, _ workload: String, menu: String = "large") -> Cell {
  Cell(backend: backend, menu: menu, workload: workload, durability: "atomic")
}

/// Wall time of one phase that is the same in every block.
func steady(
  _ value: Double, _ phase: String, _ workload: String, of backend: String, blocks: Int = 6,
  menu: String = "large"
) -> Series {
  Series(
    cell: cell(backend, workload, menu: menu), phase: phase, metric: .wall,
    blocks: Array(repeating: [value], count: blocks))
}

/// The bytes that a round trip left on disk.
func stored(_ bytes: Double, of backend: String, menu: String = "large") -> Series {
  Series(
    cell: cell(backend, "roundtrip", menu: menu), phase: "write", metric: .storedBytes,
    blocks: [[bytes]])
}

/// A backend that keeps what it is given and makes these promises.
func info(_ id: String, promises: [String]? = ["atomic"], keeps: Bool? = true) -> BackendInfo {
  BackendInfo(id: id, summary: id).with(\.promises, promises).with(\.survivesRestart, keeps)
}

/// A run of backends that are described.
func run(_ cells: [Series], backends: [BackendInfo]) -> RunRecord {
  var record = run(cells)
  record.backends = backends
  return record
}

extension Weight {
  static func on(_ workload: String, _ name: String, _ value: Double = 1) -> Weight {
    Weight(.cost(workload: workload, name: name), value)
  }
}
