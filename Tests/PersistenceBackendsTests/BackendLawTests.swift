import MenuModel
import PersistenceBackends
import Testing

private let ids = EveryBackend.ids

/// Foundation's binary property list writes equal values of one document once, and Swift calls NFC
/// and NFD forms of a text equal, and 0 and -0: all become the first of them.
func knownLosses(_ id: String) -> [String] {
  id.prefix { $0 != "@" } == "plist" ? ["odd texts", "extremes"] : []
}

private func laws(_ id: String, _ durability: Durability) throws -> BackendLaws {
  BackendLaws(entry: try EveryBackend.entry(id), durability: durability)
}

@Suite("Every backend at every durability")
struct BackendLawTests {
  @Test(
    "keeps NaN and infinity, or refuses them with a reason", arguments: ids,
    [Double.nan, .infinity, -.infinity])
  func strangeNumbers(id: String, number: Double) throws {
    var menu = Fixtures.full
    menu.products[0].variants[0].nutrition?.per100g.energy = number
    do {
      let kept = try laws(id, .atomic).kept(menu)
      let energy = kept.products[0].variants[0].nutrition?.per100g.energy
      #expect(energy.map { $0.isNaN && number.isNaN || $0 == number } == true)
    } catch {
      let words = "\(error)".lowercased()
      #expect(
        words.contains("nan") || words.contains("inf") || words.contains("finite"), "\(words)")
    }
  }

  @Test("keeps every fixture bit by bit", arguments: ids, Durability.allCases)
  func roundTrip(id: String, durability: Durability) throws {
    for (name, menu) in Fixtures.all {
      let laws = try laws(id, durability)
      if knownLosses(id).contains(name) {
        withKnownIssue { try laws.checkRoundTrip(menu) }
      } else {
        try laws.checkRoundTrip(menu)
      }
    }
  }

  @Test("keeps surcharges and prices of modifiers that are below zero", arguments: ids)
  func discounts(id: String) throws {
    for menu in [Fixtures.discounts, Fixtures.embedding(Fixtures.discounts)] {
      try menu.validate()
      try laws(id, .atomic).checkRoundTrip(menu)
    }
  }

  @Test("keeps menus that break every rule of ids", arguments: EveryBackend.careless)
  func careless(id: String) throws { try laws(id, .atomic).checkRoundTrip(Fixtures.careless) }

  @Test("leaves nothing of a replaced menu", arguments: ids, Durability.allCases)
  func replacement(id: String, durability: Durability) throws {
    let laws = try laws(id, durability)
    try laws.checkReplacement(of: Fixtures.embedding(Fixtures.full), by: Fixtures.bare)
    try laws.checkReplacement(of: Fixtures.oddTexts, by: Fixtures.full)
    try laws.checkReplacement(of: Fixtures.full, by: Fixtures.full)
  }

  @Test("refuses to read before the first write", arguments: ids, Durability.allCases)
  func emptyStore(id: String, durability: Durability) throws {
    try laws(id, durability).checkEmptyStore()
  }

  @Test(
    "has a payload's size or a reason for none, and its files only in the store's folder",
    arguments: ids, Durability.allCases)
  func sizes(id: String, durability: Durability) throws {
    try laws(id, durability).checkSizes(Fixtures.full)
  }

  @Test("returns a payload unchanged", arguments: ids, Durability.allCases)
  func payload(id: String, durability: Durability) throws {
    for (_, menu) in Fixtures.all { try laws(id, durability).checkPayload(menu) }
  }

  @Test(
    "reads what an earlier backend wrote in the folder",
    arguments: EveryBackend.entries.filter(\.survivesRestart).map(\.id),
    Durability.allCases)
  func reopening(id: String, durability: Durability) throws {
    try laws(id, durability).checkReopening(Fixtures.full)
  }
}
