import BackendKit
import Basics
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// `search`: finds products by a part of their name, and by category, availability and price.
///
/// A name search ignores case and treats `ё` as `е` and `é` as `e`. Names are in people's order,
/// but digits of numbers count one by one. The results must match `NameSearch` and `ProductFilter`.
package struct SearchWorkload: Workload {
  package let name = "search"
  package let summary =
    "products by a part of their name (Cyrillic, Latin, common or absent), in alphabetical order "
    + "with numbers digit by digit, and a category's available products up to a price"
  /// A part of a Cyrillic name, of a Latin name, of most names, and of none. Without names in one
  /// of the scripts its phase is skipped. Then the category with the most products, up to their
  /// median price.
  package let phases: [Phase] = [.cyrillic, .latin, .common, .none, .filter]
  package let beginsStored = true

  package init() {}

  /// Returns the queries, with the results of the reference.
  package func plan(for menu: Menu) throws -> SearchPlan { try SearchPlan(menu) }

  /// Returns how a search is done: by the backend, in the document held, or by the whole menu.
  package func route(of phase: Phase, on backend: some Backend<Menu>) -> Route? {
    let access = MenuAccess(backend)
    return access.named(phase == .filter ? access.filterRoute : access.searchRoute)
  }

  /// Searches once for each phase, in a store in use. Warm-up also checks further searches.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: SearchPlan
  ) throws {
    let access = MenuAccess(site.backend)
    for (phase, search) in zip(phases, plan.searches) {
      switch search {
      case .missing(let reason): site.skip(phase, because: reason)
      case .query(let query):
        try query.check(try site.measure(phase) { try access.products(named: query.text) })
      }
    }
    try plan.filter.check(
      try site.measure(.filter) { try access.products(passing: plan.filter.filter) })
    // The whole-menu route is the reference itself and needs no further checks.
    guard site.isWarmUp else { return }
    if access.filterRoute == .native {
      for filter in plan.furtherFilters {
        let ids = filter.products(of: site.fixture.document)
        try SearchPlan.FilterQuery(filter: filter, ids: ids).check(access.products(passing: filter))
      }
    }
    guard access.searchRoute == .native else { return }
    for text in plan.further {
      let ids = NameSearch.products(of: site.fixture.document, named: text)
      try SearchPlan.Query(text: text, ids: ids).check(access.products(named: text))
    }
  }
}

extension Phase {
  fileprivate static let cyrillic = Phase("cyrillic", decides: true)
  fileprivate static let latin = Phase("latin", decides: true)
  fileprivate static let common = Phase("common", decides: true)
  fileprivate static let none = Phase("none", decides: true)
  fileprivate static let filter = Phase("filter", decides: true)
}

/// The texts and filters of a search, chosen from the menu's own names by a seed.
package struct SearchPlan: Sendable {
  /// One search per phase: a query, or the reason why there is none.
  let searches: [Search]
  /// Texts to check in warm-up: names and parts of them in every case and form.
  let further: [String]
  /// The measured filter, with the result of the reference.
  let filter: FilterQuery
  /// Filters to check in warm-up: every category and two unknown ones, each up to four prices.
  let furtherFilters: [ProductFilter]

  enum Search: Sendable {
    case query(Query)
    case missing(String)
  }

  struct Query: Sendable {
    let text: String
    let ids: [Int]

    func check(_ found: [Int]) throws {
      try SearchPlan.check(found, by: ids, "a search for \(text.debugDescription)")
    }
  }

  struct FilterQuery: Sendable {
    let filter: ProductFilter
    let ids: [Int]

    func check(_ found: [Int]) throws {
      try SearchPlan.check(
        found, by: ids, "a filter of category \(filter.categoryID) up to \(filter.priceUpTo)")
    }
  }

  /// Chooses queries. Throws ``WorkloadFailure`` if the menu has no product to find.
  init(_ menu: Menu) throws {
    guard !menu.products.isEmpty else { throw WorkloadFailure("the menu has no product to find") }
    var random = SplitMix64(seed: 2026)
    let keys = menu.products.map { NameSearch.key($0.name) }
    let words = Set(menu.products.flatMap { Self.words(of: $0.name) })
    let texts: [(String?, String)] = [
      (Self.piece(of: words.filter(\.isCyrillic), &random), "no word in Cyrillic letters"),
      (Self.piece(of: words.filter(\.isLatin), &random), "no word in Latin letters"),
      (Self.commonPair(of: keys), "no two letters in a row"),
      (Self.absent(from: keys, &random), ""),
    ]
    searches = texts.map { text, lack in
      guard let text else { return .missing("the menu's names have \(lack)") }
      return .query(Query(text: text, ids: NameSearch.products(of: menu, named: text)))
    }
    further = Self.further(menu, &random)
    let filter = Self.filter(menu)
    self.filter = FilterQuery(filter: filter, ids: filter.products(of: menu))
    let categories = (menu.categories.map(\.id) + [Int.min, .max]).distinct
    furtherFilters = categories.flatMap { id in
      [-1, 0, filter.priceUpTo, .max].map { ProductFilter(categoryID: id, priceUpTo: $0) }
    }
  }

  /// Returns the category with the most products (the first one of several) and the median of their
  /// lowest prices.
  private static func filter(_ menu: Menu) -> ProductFilter {
    let shelves = Dictionary(grouping: menu.products, by: \.categoryID)
    let most = shelves.values.map(\.count).max()
    let category = menu.products.first { shelves[$0.categoryID]?.count == most }?.categoryID ?? 0
    let prices = shelves[category, default: []].compactMap { $0.variants.map(\.price).min() }
      .sorted()
    return ProductFilter(
      categoryID: category, priceUpTo: prices.isEmpty ? 0 : prices[prices.count / 2])
  }

  /// Returns the words of a name in lower case, composed. They are long enough to take a part of,
  /// and have the same search key in capitals.
  private static func words(of name: String) -> [String] {
    name.lowercased().precomposedStringWithCanonicalMapping.split { !$0.isLetter }
      .filter { $0.count >= 4 }.map(String.init)
      // `ß` in capitals is `SS`, which is another text.
      .filter { NameSearch.key($0.uppercased()) == NameSearch.key($0) }
  }

  /// Returns all but the first letter of a word, in capitals. A search that is case-sensitive or
  /// only looks at beginnings does not find it. Prefers a word with `ё` or `й`.
  private static func piece(of words: Set<String>, _ random: inout SplitMix64) -> String? {
    let marked = words.filter { $0.contains("ё") || $0.contains("й") }
    let choices = (marked.isEmpty ? words : marked).sorted(by: Self.precedes)
    guard !choices.isEmpty else { return nil }
    return String(choices[random.below(choices.count)].dropFirst()).uppercased()
  }

  /// Returns the two adjacent letters that most names have (the first by their bytes of several).
  private static func commonPair(of keys: [String]) -> String? {
    var counts: [String: Int] = [:]
    for key in keys {
      let pairs = zip(key, key.dropFirst()).filter { $0.isLetter && $1.isLetter }
      for pair in Set(pairs.map { String([$0, $1]) }) { counts[pair, default: 0] += 1 }
    }
    let most = counts.values.max()
    return counts.filter { $0.value == most }.keys.min(by: Self.precedes)
  }

  /// Returns letters that no name has in this order.
  private static func absent(from keys: [String], _ random: inout SplitMix64) -> String? {
    let letters = Array("абвгдежзийклмнопрстуфхцчшщъыьэюя")
    while true {
      let text = String((0..<6).map { _ in letters[random.below(letters.count)] })
      if !keys.contains(where: { $0.contains(text) }) { return text }
    }
  }

  private static func further(_ menu: Menu, _ random: inout SplitMix64) -> [String] {
    let names = (0..<5).map { _ in menu.products[random.below(menu.products.count)].name }
    return ["", "ё", "Е", "й", "и\u{306}", "и", "é", "E\u{301}", "e", "%", "_", "'"]
      + names.flatMap { name in
        [
          name, name.uppercased(), name.decomposedStringWithCanonicalMapping,
          String(name.dropFirst(name.count / 3).prefix(4)).lowercased(),
        ]
      }
  }

  private static func precedes(_ a: String, _ b: String) -> Bool {
    a.utf8.lexicographicallyPrecedes(b.utf8)
  }

  /// Throws ``WorkloadFailure`` unless a query found what the reference finds, in its order.
  fileprivate static func check(_ found: [Int], by ids: [Int], _ question: String) throws {
    guard found != ids else { return }
    let place = zip(found, ids).prefix { $0 == $1 }.count
    func product(_ list: [Int]) -> String {
      place < list.count ? "product \(list[place])" : "nothing more"
    }
    throw WorkloadFailure(
      "\(question) finds \(found.count) products, the reference \(ids.count): at place "
        + "\(place + 1) \(product(found)), not \(product(ids))")
  }
}

extension String {
  fileprivate var isCyrillic: Bool {
    unicodeScalars.allSatisfy { ("\u{400}"..."\u{52F}").contains($0) }
  }
  fileprivate var isLatin: Bool {
    unicodeScalars.allSatisfy { $0.properties.isAlphabetic && $0 < "\u{250}" }
  }
}
