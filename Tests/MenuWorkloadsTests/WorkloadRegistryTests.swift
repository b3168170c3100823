import BenchResults
import MenuModel
import MenuWorkloads
import PersistenceBackends
import Testing

@testable import BenchEngine

@Suite("The registry of workloads")
struct WorkloadRegistryTests {
  @Test("begins with the default, and lists the sums of phases by which backends are chosen")
  func costs() throws {
    for workload in WorkloadRegistry.all {
      #expect(try workload.all().map(\.id).count == Set(workload.all().map(\.id)).count)
    }
    let costs = WorkloadRegistry.all.map { workload in
      let costs = workload.info.costs.map { "\($0.name) = \($0.phases.joined(separator: " + "))" }
      return "\(workload.info.id): \(costs.joined(separator: ", "))"
    }
    #expect(
      costs == [
        "roundtrip: save = encode + write + checkpoint-share, load = read + decode + release",
        "first-menu: first-screen = first-screen, whole-menu = whole-menu",
        "launch-flow: after-network = after-network, store = store + checkpoint-share",
        "product: product = product, cold-product = cold-product",
        "combo: combo = combo, cold-combo = cold-combo",
        "patch: update = apply + checkpoint-share",
        "replace: replace = replace + checkpoint-share",
        "search: cyrillic = cyrillic, latin = latin, common = common, none = none, filter = filter",
        "contention: service = service, replace = replace",
        "upgrade: upgrade = upgrade",
        "offline: edit = edit, edit-whole = edit-whole, merge = merge",
        "dual-write: copy = copy, write-both = write-both, compare = compare, "
          + "switch-back = switch-back",
        "dispatch: per-action = per-action",
      ])
  }

  @Test("knows which phases save, and flushes every save that a need weighs")
  func saves() {
    let saves = WorkloadRegistry.all.compactMap { workload -> String? in
      let phases = workload.info.saves ?? []
      guard !phases.isEmpty else { return nil }
      return "\(workload.name) at \(workload.ownDurability.rawValue): "
        + phases.joined(separator: ", ")
    }
    #expect(
      saves == [
        "roundtrip at atomic: write", "launch-flow at durable: store", "patch at durable: apply",
        "replace at durable: replace", "contention at durable: replace",
        "upgrade at atomic: upgrade", "offline at durable: edit, edit-whole, merge",
        "dual-write at atomic: write-both", "dispatch at atomic: per-action",
      ])
  }
}
