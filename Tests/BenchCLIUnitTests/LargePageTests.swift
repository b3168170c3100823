import Basics
import BenchEngine
import BenchReports
import BenchResults
import Foundation
import MenuWorkloads
import PersistenceBackends
import Testing

@testable import BenchAnalysis

/// It is here, not with the other pages, because it needs every registry.
@Suite("The page of a run with everything")
struct LargePageTests {
  /// `scripts/check-pages` opens it.
  @Test("It has less than 3 MB for 16 storages, all workloads and 3 menus")
  func size() throws {
    let record = Self.everything
    #expect(WorkloadRegistry.all.count >= 13)
    #expect(Set(record.cells.map(\.cell)).count == 16 * WorkloadRegistry.all.count * 3)
    let page = HTMLReporter().render(Report(record: record))
    for chart in ["latency", "timeline"] {
      #expect(page.contains("\(chart)\""), "\(chart)")
    }
    #expect(page.utf8.count < 3_000_000, "\(page.utf8.count) bytes")
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = root.appending(path: ".build")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(page.utf8).write(to: folder.appending(path: "large-report.html"), options: .atomic)
  }

  /// Sixteen storages under every workload with all its phases, on menus of three sizes, so that growth is drawn.
  private static var everything: RunRecord {
    let backends = BackendRegistry.all.prefix(16).map(\.id)
    let menus: [(name: String, options: Double)] = [
      ("small", 600), ("medium", 4_000), ("large", 12_000),
    ]
    var record = RunRecord(
      tool: Tool(name: "bench", version: "0.1.0", revision: "76342b5"),
      machine: Machine(cpu: "AMD EPYC 7B13", cores: 2, build: "release"),
      settings: Settings(
        started: "2026-01-01T12:00:00Z", targetPrecision: 0.05, scheduleSeed: 1,
        storage: "/var/tmp/bench"
      ).with(\.blocks, 12).with(\.fileSystem, "ext4"))
    record.menus = menus.map { name, options in
      MenuInfo(
        name: name, source: "shape \(name)", fingerprint: "00000000000000aa",
        counts: [.init(of: "slot options", count: Int(options))])
    }
    record.workloads = WorkloadRegistry.all.map(\.info)
    for menu in menus {
      for workload in WorkloadRegistry.all {
        for (number, backend) in backends.enumerated() {
          let cell = Cell(
            backend: backend, menu: menu.name, workload: workload.id, durability: "atomic")
          let middle = menu.options * 100 * Double(number + 3)
          record.cells += series(cell, workload.phases, middle)
        }
      }
    }
    return record
  }

  private static func series(_ cell: Cell, _ phases: [Phase], _ middle: Double) -> [Series] {
    func times(_ phase: String, _ middle: Double, floor: String? = nil) -> Series {
      let blocks = (0..<12).map { block in
        (0..<3).map { sample -> Double in
          let step = (block * 7 + sample) % 13
          return middle * (1 + 0.01 * Double(step))
        }
      }
      return Series(cell: cell, phase: phase, metric: .wall, blocks: blocks, floor: floor)
    }
    func exact(_ phase: String, _ metric: Metric, _ value: Double) -> Series {
      Series(cell: cell, phase: phase, metric: metric, blocks: [[value], [value]])
    }
    let own = phases.enumerated().flatMap { place, phase in
      [
        times(
          phase.id, middle * Double(place + 1),
          floor: phase.floor?.phase ?? (phase.isPart ? "floor-part" : nil)),
        exact(phase.id, .allocations, middle / 5_000), exact(phase.id, .peakHeapBytes, middle / 3),
      ]
    }
    let looks = (0..<20).map { middle / 7 * (1 + 0.1 * Double($0)) }
    let extras =
      switch WorkloadInfo.name(of: cell.workload) {
      case "contention":
        [
          Series(
            cell: cell, phase: "read", metric: .utilisation,
            blocks: (0..<12).map { [20 + Double($0)] })
        ]
      case "replace":
        [
          Series(
            cell: cell, phase: "replace", metric: .storedPeakBytes, blocks: [looks, looks])
        ]
      default: [Series]()
      }
    let floors = own.compactMap(\.floor).distinct.map { times($0, middle / 50) }
    return own + extras + floors + [
      exact(phases[0].id, .storedBytes, middle / 7), times(Series.controlPhase, 2_000_000),
    ]
  }
}
