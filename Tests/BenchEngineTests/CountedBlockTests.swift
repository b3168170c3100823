import BenchProbes
import BenchProcesses
import BenchResults
import Foundation
import MenuModel
import MenuWorkloads
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine

@Suite(
  "A block in a process of its own", .enabled(if: JemallocLibrary.path != nil, "needs jemalloc"))
struct CountedBlockTests {
  private static let menu = "products=20,combos=2,slots=2,options=2"

  private func measure(
    _ kind: BlockRequest.Kind, _ backend: String = "memory", metrics: Set<String>? = nil,
    injection: String? = nil
  ) async throws -> [String: Series] {
    try await inFolder { folder in
      let worker = SubprocessWorker(executable: Products.bench, arguments: ["worker"])
      let menu = try MenuSource().load(Self.menu).document
      let outcome = try await worker.measure(
        BlockRequest(
          cell: .of(backend), documentName: Self.menu, fingerprint: menu.fingerprint.description,
          folder: folder, kind: kind, metrics: metrics, sampling: Sampling(minimum: 3, maximum: 3),
          injection: try injection.map { try Injection(parsing: $0) }, timeout: 120))
      guard case .measured(let series) = outcome else {
        Issue.record("\(outcome)")
        return [:]
      }
      return Dictionary(uniqueKeysWithValues: series.map { ("\($0.phase) \($0.metric.id)", $0) })
    }
  }

  @Test("counts one injected allocation and 16 bytes more, in its phase alone")
  func injected() async throws {
    let plain = try await measure(.counted)
    let injected = try await measure(.counted, injection: "memory/decode:allocations=1")
    for phase in ["encode", "write", "read", "decode"] {
      for (metric, more) in [("allocations", 1.0), ("allocated_bytes", 16)] {
        let before = try #require(plain["\(phase) \(metric)"]?.blocks.first)
        let added = phase == "decode" ? more : 0
        #expect(injected["\(phase) \(metric)"]?.blocks == [before.map { $0 + added }])
      }
    }
  }

  @Test("counts the same in every process, in every phase of every exact metric")
  func exact() async throws {
    for backend in ["json", "sqlite"] {
      let first = try await measure(.counted, backend)
      #expect(first["decode allocations"]?.blocks.first?.allSatisfy { $0 > 100 } == true)
      #expect(try await measure(.counted, backend) == first)
    }
  }

  @Test("knows the payload of the menu, whatever else it counts")
  func payload() async throws {
    let menu = try MenuSource().load(Self.menu).document
    let size = Double(try JSONCodec().encode(menu).count)
    for metrics in [nil, ["payload_bytes"], ["payload_bytes", "stored_bytes"]] as [Set<String>?] {
      let series = try await measure(.counted, "json", metrics: metrics)
      #expect(series["encode payload_bytes"]?.blocks == [[size]])
    }
  }

  @Test("measures memory and page faults with the system's malloc, and no exact metric")
  func resident() async throws {
    let series = try await measure(.resident, "json")
    #expect(series["decode page_faults"]?.blocks.first?.isEmpty == false)
    #expect(series["decode peak_rss_bytes"]?.blocks.first?.isEmpty == false)
    #expect(
      Set(series.values.map(\.metric)) == [.pageFaults, .instructions, .peakRSSBytes])
  }

  @Test("has its own allocator if it counts, and the run has the allocator's name and version")
  func countingAllocator() async throws {
    var machine = MachineProbe.describe()
    let worker = SubprocessWorker(executable: Products.bench, arguments: ["worker"])
    await machine.findCountingAllocator(of: worker, for: ["wall"])
    #expect(machine.countingAllocator == nil && machine.unsupported["allocations"] != nil)
    await machine.findCountingAllocator(of: worker)
    #expect(machine.countingAllocator?.hasPrefix("jemalloc 5.") == true)
    #expect(machine.unsupported["allocations"] == nil)
    #expect(machine.allocator?.hasPrefix("jemalloc") == false)
  }

  @Test("leaves allocations unsupported if it cannot start to count, with the reason")
  func noWorker() async {
    var machine = Machine(build: "debug")
    await machine.findCountingAllocator(
      of: SubprocessWorker(executable: "/no/such/bench", arguments: []))
    #expect(machine.countingAllocator == nil)
    #expect(
      machine.unsupported["allocations"]
        == "no worker can count it: /no/such/bench cannot be started: No such file or directory")
  }
}
