import BenchResults
import MenuModel
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private let menu = WorkloadStage.menu

/// Resolves the combo that it was asked for first, whatever it is asked for.
private final class SingleMinded: Wrapper, ComboReading {
  private var first: Int?

  func combo(_ id: Int) throws -> ResolvedCombo? {
    first = first ?? id
    return try read().resolvedCombo(first ?? id)
  }
}

/// Resolves some combo where there is none of the id.
private final class Eager: Wrapper, ComboReading {
  func combo(_ id: Int) throws -> ResolvedCombo? {
    let menu = try read()
    return menu.resolvedCombo(id) ?? menu.resolvedCombo(menu.combos[0].id)
  }
}

@Suite("The workload combo")
struct ComboWorkloadTests {
  private let combo: Combo

  init() throws {
    let id = try ComboWorkload().plan(for: menu).combos.ids[0]
    combo = try #require(menu.combos.first { $0.id == id })
  }

  @Test(
    "resolves a combo on every backend, and says by which route",
    arguments: BackendRegistry.all.map(\.id), [false, true])
  func all(id: String, isWarmUp: Bool) throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let outcome = try WorkloadStage.run(
      ComboWorkload(), on: entry, menu, isWarmUp: isWarmUp, times: 2)
    #expect(outcome.samples == [2, 0, 0])
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  @Test("draws a cycle of combos, and starts again where there are fewer")
  func cycle() throws {
    let drawn = try ComboWorkload().plan(for: menu).combos.ids
    #expect(drawn.count == 8)
    #expect(Set(drawn.prefix(3)) == Set(menu.combos.map(\.id)))
  }

  @Test("has fresh processes resolve the combo of median size")
  func cold() throws {
    let (series, requests) = try ColdBench().measure(ComboWorkload())
    let id = try ComboWorkload().plan(for: ColdBench.menu).cold.id
    #expect(Set(requests.map(\.order)) == [[id]])
    #expect(series.map(\.phase) == ["cold-combo", "cold-combo", "start"])
  }

  private func expect(_ failure: String, storing change: @escaping @Sendable (inout Menu) -> Void) {
    for isWarmUp in [false, true] {
      #expect(throws: WorkloadFailure("combo \(combo.id) \(failure)")) {
        try WorkloadStage.run(ComboWorkload(), on: .changing(change), menu, isWarmUp: isWarmUp)
      }
    }
  }

  @Test("fails where an option is another one")
  func otherOption() throws {
    let list = try #require(
      menu.optionLists.firstIndex { $0.id == combo.slots.last?.optionListID })
    expect("is read back with another content than was stored") {
      $0.optionLists[list].options[0].surcharge += 1
    }
  }

  @Test("fails where a product that an option names is missing, or another one")
  func missingProduct() throws {
    let id = try #require(menu.options(of: combo.slots[0]).first).productID
    expect("is read back with another content than was stored") { menu in
      menu.products.removeAll { $0.id == id }
    }
    let index = try #require(menu.products.firstIndex { $0.id == id })
    expect("is read back with another content than was stored") {
      $0.products[index].name += "!"
    }
  }

  @Test("fails where the combo is missing")
  func missingCombo() {
    expect("was stored but is not found") { [combo] menu in
      menu.combos.removeAll { $0.id == combo.id }
    }
  }

  @Test("fails in warm-up where the id is not looked at")
  func singleMinded() {
    let first = menu.combos[0].id
    #expect(
      throws: WorkloadFailure("combo \(first) is read back with another content than was stored")
    ) { try WorkloadStage.run(ComboWorkload(), on: SingleMinded.around(.memory)) }
  }

  @Test("fails in warm-up where a combo is found that is not there")
  func eager() {
    let absent = Set(menu.combos.map(\.id)).lowestFree
    #expect(throws: WorkloadFailure("combo \(absent) is found, but none was stored")) {
      try WorkloadStage.run(ComboWorkload(), on: Eager.around(.memory))
    }
  }

  @Test("refuses a menu of no combos")
  func empty() {
    let empty = Menu(id: 1, revision: 1, locale: "", currency: "", city: "")
    #expect(throws: WorkloadFailure("the menu has no combo to resolve")) {
      try ComboWorkload().plan(for: empty)
    }
  }
}
