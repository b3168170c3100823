import BenchProbes
import BenchResults
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

#if os(Linux)
  /// Referenced pages are those of the whole process, so each test runs in a process of its own.
  @Suite("A counted block that reads parts")
  struct PartBlockTests {
    @Test("counts the pages that a part reads, on average, although the storage's cache is warm")
    func touched() async {
      await #expect(processExitsWith: .success) {
        for id in ["json", "sqlite", "lmdb"] {
          let values = try PartBlockTests.values(of: id)
          let phases = ["product", "property"]
          #expect(Set(values.keys) == Set(phases.flatMap { ["\($0) touched", "\($0) useful"] }))
          for phase in phases {
            let touched = values["\(phase) touched"] ?? []
            let useful = values["\(phase) useful"]?.first ?? .nan
            #expect(touched.count == (id == "json" ? 2 : 1), "\(id) \(phase)")
            // Whole pages, in the mean of eight.
            #expect(touched.allSatisfy { $0.remainder(dividingBy: 512) == 0 }, "\(id) \(phase)")
            #expect(touched.allSatisfy { $0 > useful && useful > 0 }, "\(id) \(phase)")
          }
        }
      }
    }

    /// The figures of a block by phase.
    private static func values(of id: String) throws -> [String: [Double]] {
      let entry = try #require(BackendRegistry.all.first { $0.id == id })
      return try inFolder { folder in
        let store = StoreContext(folder: folder, durability: .atomic)
        let surroundings = WorkContext(store: store, entry: entry, revisions: [])
        return try values(of: try entry.open(store), surroundings)
      }
    }

    private static func values(
      of backend: some Backend<Menu>, _ surroundings: WorkContext<Menu>
    ) throws -> [String: [Double]] {
      let menu = Menu(shape: MenuShape(.small))
      let block = Block(
        request: BlockRequest(
          cell: .of(surroundings.entry.id), documentName: "", fingerprint: "", kind: .counted,
          metrics: ["touched_bytes", "useful_bytes"], floors: false, timeout: 1),
        workload: ProductWorkload(), plan: try ProductWorkload().plan(for: menu),
        fixtures: Fixtures(menu), backend: backend, surroundings: surroundings,
        clock: MonotonicClock(), announce: { _ in }, heartbeat: {})
      try block.warmUp()
      defer { try? backend.close() }
      let values = try block.measure().map { series -> (String, [Double]) in
        let figure = series.metric == .touchedBytes ? "touched" : "useful"
        return ("\(series.phase) \(figure)", series.blocks[0])
      }
      return Dictionary(uniqueKeysWithValues: values)
    }
  }
#endif
