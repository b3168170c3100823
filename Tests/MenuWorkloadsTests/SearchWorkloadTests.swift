import BenchProbes
import BenchResults
import Foundation
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

/// Ёж, and what else the sorting of names and the form of letters can trip over.
private let menu: Menu = {
  var menu = Menu(shape: MenuShape(.small))
  let names = [
    "Pepsi Light", "КОЛА", "Кола без сахара", "Éclair", "Чаи\u{306} с мёдом", "Чаи и соки",
  ]
  for (index, name) in names.enumerated() { menu.products[index].name = name }
  return menu
}()

/// A search as SQLite's LIKE does it: without case for Latin letters only.
private final class LatinOnly: Wrapper, NameSearching {
  func products(named query: String) throws -> [Int] {
    func ascii(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          text.unicodeScalars.map {
            $0.isASCII ? $0.properties.lowercaseMapping.unicodeScalars.first ?? $0 : $0
          }))
    }
    return try read().products.filter { ascii($0.name).contains(ascii(query)) }.map(\.id)
  }
}

/// Filters right, and sorts by name.
private final class ByName: Wrapper, ProductFiltering {
  func products(passing filter: ProductFilter) throws -> [Int] {
    let menu = try read()
    let found = Set(filter.products(of: menu))
    return NameSearch.products(of: menu, named: "").filter(found.contains)
  }
}

/// Takes a price of nothing for none.
private final class Limitless: Wrapper, ProductFiltering {
  func products(passing filter: ProductFilter) throws -> [Int] {
    var filter = filter
    if filter.priceUpTo <= 0 { filter.priceUpTo = .max }
    return filter.products(of: try read())
  }
}

/// Finds the right products in the menu's order.
private final class Unsorted: Wrapper, NameSearching {
  func products(named query: String) throws -> [Int] {
    let menu = try read()
    let found = Set(NameSearch.products(of: menu, named: query))
    return menu.products.map(\.id).filter(found.contains)
  }
}

/// Tells `ё` from `е`.
private final class Pedantic: Wrapper, NameSearching {
  func products(named query: String) throws -> [Int] {
    query == "ё" ? [] : NameSearch.products(of: try read(), named: query)
  }
}

/// Takes every mark off every letter, so that `й` is an `и`.
private final class Markless: Wrapper, NameSearching {
  func products(named query: String) throws -> [Int] {
    func plain(_ text: String) -> String {
      String(
        String.UnicodeScalarView(
          NameSearch.key(text).decomposedStringWithCanonicalMapping.unicodeScalars.filter {
            $0.properties.canonicalCombiningClass == .notReordered
          }))
    }
    var menu = try read()
    for index in menu.products.indices {
      menu.products[index].name = plain(menu.products[index].name)
    }
    return NameSearch.products(of: menu, named: plain(query))
  }
}

/// Compares names in the forms in which they were typed.
private final class Uncomposed: Wrapper, NameSearching {
  func products(named query: String) throws -> [Int] {
    func key(_ text: String) -> [UInt8] {
      Array(text.lowercased().replacing("ё", with: "е").utf8)
    }
    let menu = try read()
    let found = menu.products.filter { NameSearch.contains(key($0.name), key(query)) }
    let ids = Set(found.map(\.id))
    return NameSearch.products(of: menu, named: "").filter(ids.contains)
  }
}

/// Sorts `é` behind `z`.
private final class AccentsLast: Wrapper, NameSearching {
  func products(named query: String) throws -> [Int] {
    let menu = try read()
    let found = Set(NameSearch.products(of: menu, named: query))
    let names = menu.products.filter { found.contains($0.id) }.map {
      (id: $0.id, key: $0.name.lowercased().replacing("ё", with: "е"))
    }
    return names.sorted { NameSearch.precedes($0, $1) }.map(\.id)
  }
}

/// Counts how often its caches are emptied.
private final class Emptied: Wrapper {
  private(set) var drops = 0

  override func dropCaches() throws { drops += 1 }
}

@Suite("The workload search")
struct SearchWorkloadTests {
  @Test("searches a store in use, and never empties its caches")
  func warm() throws {
    let memory = MemoryBackend<Menu>()
    try memory.write(menu)
    let backend = Emptied(memory)
    try WorkloadStage.run(SearchWorkload(), on: backend, menu, times: 2)
    #expect(backend.drops == 0)
  }

  @Test(
    "finds on every backend the products of the reference, and names its route",
    arguments: BackendRegistry.all)
  func all(entry: BackendEntry<Menu>) throws {
    let outcome = try WorkloadStage.run(SearchWorkload(), on: entry, menu, times: 2)
    #expect(outcome.samples == [2, 2, 2, 2, 2])
    #expect(outcome.skipped.isEmpty)
    #expect(outcome.stored?.fingerprint == menu.fingerprint)
  }

  private func queries(_ menu: Menu) throws -> [SearchPlan.Query?] {
    try SearchWorkload().plan(for: menu).searches.map {
      if case .query(let query) = $0 { query } else { nil }
    }
  }

  @Test("searches for parts of names in capitals that are found, and for one that is not")
  func plan() throws {
    let found = try queries(menu)
    let again = try queries(menu)
    #expect(found.map(\.?.text) == again.map(\.?.text))
    for query in found[..<2] {
      let query = try #require(query)
      #expect(query.text == query.text.uppercased())
      #expect(query.text.count >= 3)
      #expect(!query.ids.isEmpty)
    }
    #expect(found[0]?.text.contains { "ЁЙ".contains($0) } == true)
    #expect(["EPSI", "IGHT", "CLAIR"].contains(found[1]?.text))
    #expect(found[2]?.text == "ка")
    #expect(found[2]?.ids.count == 14)
    #expect(found[3]?.ids == [])
  }

  @Test("does not search in a script that no name has, and says so")
  func scripts() throws {
    let small = Menu(shape: MenuShape(.small))
    let russian = try WorkloadStage.run(SearchWorkload(), on: .memory, small)
    #expect(russian.samples == [1, 0, 1, 1, 1])
    #expect(russian.skipped == ["latin": "the menu's names have no word in Latin letters"])
    var english = menu
    for index in english.products.indices { english.products[index].name = "Pizza \(index)" }
    let latin = try WorkloadStage.run(SearchWorkload(), on: .memory, english)
    #expect(latin.samples == [0, 1, 1, 1, 1])
    #expect(latin.skipped == ["cyrillic": "the menu's names have no word in Cyrillic letters"])
    for index in english.products.indices { english.products[index].name = "7" }
    let digits = try WorkloadStage.run(SearchWorkload(), on: .memory, english)
    #expect(digits.samples == [0, 0, 0, 1, 1])
  }

  @Test("has a series without values for a script that no name has, with the reason")
  func block() throws {
    let menu = Menu(shape: MenuShape(.small))
    let workload = SearchWorkload()
    let block = Block(
      request: BlockRequest(
        cell: .of("memory"), documentName: "", fingerprint: "", kind: .timed, metrics: ["wall"],
        sampling: Sampling(minimum: 3, maximum: 3), floors: false, timeout: 1),
      workload: workload, plan: try workload.plan(for: menu), fixtures: Fixtures(menu),
      backend: MemoryBackend<Menu>(),
      surroundings: WorkContext(
        store: StoreContext(folder: ".", durability: .none), entry: .memory, revisions: []),
      clock: ManualClock(step: 1_000), announce: { _ in }, heartbeat: {})
    try block.warmUp()
    let series = try block.measure().filter { $0.phase != "control" }
    #expect(series.map(\.phase) == ["cyrillic", "common", "none", "filter", "latin"])
    #expect(series.map { $0.blocks.joined().count } == [3, 3, 3, 3, 0])
    #expect(series.map(\.metric) == Array(repeating: .wall, count: 5))
    #expect(series[4].unsupported == "the menu's names have no word in Latin letters")
    #expect(series.map(\.route) == Array(repeating: "whole menu", count: 5))
  }

  @Test("filters the category with the most products, up to their median price")
  func filter() throws {
    let plan = try SearchWorkload().plan(for: menu)
    let shelf = menu.products.filter { $0.categoryID == plan.filter.filter.categoryID }
    let others = Dictionary(grouping: menu.products, by: \.categoryID).values.map(\.count)
    #expect(shelf.count == others.max())
    let prices = shelf.compactMap { $0.variants.map(\.price).min() }.sorted()
    #expect(plan.filter.filter.priceUpTo == prices[prices.count / 2])
    #expect(!plan.filter.ids.isEmpty)
    #expect(plan.filter.ids.count < shelf.count)
    #expect(plan.furtherFilters.count == 4 * (menu.categories.count + 2))
  }

  @Test("refuses a menu without products")
  func empty() {
    let empty = Menu(id: 1, revision: 1, locale: "", currency: "", city: "")
    #expect(throws: WorkloadFailure("the menu has no product to find")) {
      try SearchWorkload().plan(for: empty)
    }
  }

  @Test(
    "fails if a search or a filter finds others than the reference, or in another order",
    arguments: [
      (ByName.around(.memory), true, ": at place "),
      (Limitless.around(.memory), true, ", the reference 0: at place 1 "),
      (LatinOnly.around(.memory), false, "finds 0 products, the reference"),
      (LatinOnly.around(.memory), true, "finds 0 products, the reference"),
      (Unsorted.around(.memory), false, ": at place 1 product "),
      (Unsorted.around(.memory), true, ": at place 1 product "),
      (Pedantic.around(.memory), true, "a search for \"ё\" finds 0 products"),
      (Markless.around(.memory), true, "a search for \"й\" finds"),
      (Uncomposed.around(.memory), true, "a search for \"й\" finds"),
      (AccentsLast.around(.memory), true, ": at place "),
    ])
  func faults(entry: BackendEntry<Menu>, isWarmUp: Bool, said: String) {
    let failure = WorkloadStage.complaint(
      of: SearchWorkload(), on: entry, menu, isWarmUp: isWarmUp)
    #expect(failure?.contains(said) == true, "\(failure ?? "")")
  }
}
