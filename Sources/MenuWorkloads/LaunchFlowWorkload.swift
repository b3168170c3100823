import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// `launch-flow`: a menu is fetched, stored, read back, and mapped to what is shown.
///
/// The network's time is given, not waited for, because the question is the share of persistence.
/// An app that shows the fetched menu and stores it meanwhile has no such share.
///
/// The response is JSON, which is decoded before it is stored. A backend that keeps it as it came
/// (`Backend.keepsResponse`) only decodes it when reading back. As in an app, no cache is emptied
/// between storing and reading back.
package struct LaunchFlowWorkload: Workload {
  package let name = "launch-flow"
  package let summary =
    "a menu fetched, stored, read back and mapped to view models: the share of persistence"
  /// The given network time, decoding the response, encoding and writing, reading and decoding (or
  /// taking the document held), and mapping. Then the sum without the network, and with it.
  package let phases: [Phase] = [.network, .parse, .store, .readBack, .map, .afterNetwork, .total]
  package let ownDurability = Durability.durable
  /// The network's time, in milliseconds.
  package var network = 500

  package init() {}

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "network", \.network, in: 0...600_000, standard: 500,
        "assumed milliseconds to fetch the menu")
    ]
  }

  /// The fetched responses, by the menus' checksums.
  package typealias Plan = [Checksum: Fetch]

  package struct Fetch: Sendable {
    let response: Data
    var screen: MenuScreen

    init(_ menu: Menu) throws {
      response = try JSONCodec().encode(menu)
      screen = MenuScreen(menu)
    }
  }

  /// Returns the responses and screens of the menu and of the revision that alternates with it.
  package func plan(for menu: Menu) throws -> Plan {
    let fetches = try Fixtures(menu).both.map { ($0.fingerprint, try Fetch($0.document)) }
    return Dictionary(fetches) { first, _ in first }
  }

  /// Stores the menu, reads it back and maps it. The result must match the expected screen.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let (backend, menu) = (site.backend, site.fixture.document)
    let fetch = try plan[site.fixture.fingerprint] ?? Fetch(menu)
    try backend.prepare(menu)
    let fetched = try site.parse(menu, from: fetch.response)
    try site.measure(.store) { try backend.put(fetched) }
    // A backend that holds what was just stored has nothing to read.
    let holding = backend as? any DocumentHolding<Menu>
    let known = try site.measure(.readBack) {
      try holding?.held() ?? backend.decode(backend.read())
    }
    let shown = site.measure(.map) { MenuScreen(known) }
    guard known.fingerprint == site.fixture.fingerprint else {
      throw WorkloadFailure(
        "the menu read back differs from the one fetched: \(difference(menu, known))")
    }
    guard shown == fetch.screen else {
      throw WorkloadFailure("the screen shown differs from the menu")
    }
    note(on: site)
  }

  private func note<Clock: WallClock>(on site: WorkSite<some Backend, Clock>) {
    let network = Double(network) * 1e6
    let persistence = [Phase.store, .readBack].compactMap(site.lastWall).reduce(0, +)
    let own = persistence + [Phase.parse, .map].compactMap(site.lastWall).reduce(0, +)
    let total = network + own
    site.note(network, .network)
    site.note(own, .afterNetwork)
    site.note(total, .total)
    guard total > 0 else { return }
    site.note(persistence / total * 100, of: .persistenceShare, .total)
  }
}

extension WorkSite where B.Document == Menu {
  /// Returns the menu to store: from the response, or as given if the backend keeps the response.
  func parse(_ menu: Menu, from response: Data) throws -> Menu {
    guard !backend.keepsResponse else {
      skip(.parse, because: "the response is stored as it came")
      return menu
    }
    return try measure(.parse) { try JSONCodec().decode(Menu.self, from: response) }
  }
}

extension Phase {
  static let network = Phase("network")
  static let parse = Phase("parse")
  fileprivate static let store = Phase("store", floor: .write)
  fileprivate static let readBack = Phase("read-back", floor: .read)
  fileprivate static let map = Phase("map")
  fileprivate static let afterNetwork = Phase("after-network", decides: true)
  fileprivate static let total = Phase("total")
}

/// An app's screen of a menu: flat rows of text, made once and scrolled often.
package struct MenuScreen: Hashable, Sendable {
  /// The products by category, then the combos.
  package let rows: [Row]

  package struct Row: Hashable, Sendable {
    package let title: String
    /// The text under the title. For a combo, the names of its default products.
    package let text: String
    /// The price as shown, or an empty text if there is none.
    package let price: String
  }

  /// Maps a menu. Leaves out products that are not on sale.
  package init(_ menu: Menu) {
    let shelves = Dictionary(grouping: menu.products.filter { $0.availability == .available }) {
      $0.categoryID
    }
    let currency = menu.currency
    let products = menu.categories.flatMap { category in
      (shelves[category.id] ?? []).map { Row($0, currency) }
    }
    rows = products + Self.combos(of: menu)
  }

  private static func combos(of menu: Menu) -> [Row] {
    let resolver = SlotResolver(menu)
    let names = Dictionary(
      menu.products.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    return menu.combos.map { combo in
      let chosen = combo.slots.compactMap { slot in
        slot.defaultProductID ?? resolver.options(of: slot).first?.productID
      }
      return Row(
        title: combo.name, text: chosen.compactMap { names[$0] }.joined(separator: ", "),
        price: combo.price.map { priceText($0, menu.currency) } ?? "")
    }
  }
}

extension MenuScreen.Row {
  /// Makes a product's row. With several variants, the price is "from" that of the cheapest.
  fileprivate init(_ product: Product, _ currency: String) {
    let cheapest = product.variants.map(\.price).min().map { priceText($0, currency) } ?? ""
    title = product.name
    text = product.details
    price = product.variants.count > 1 ? "from \(cheapest)" : cheapest
  }
}

/// Formats a price in minor units, a hundred to the whole: `589 RUB`, `7.50 EUR`.
private func priceText(_ price: Int, _ currency: String) -> String {
  let (whole, rest) = price.quotientAndRemainder(dividingBy: 100)
  let sign = price < 0 && whole == 0 ? "-" : ""
  guard rest != 0 else { return "\(whole) \(currency)" }
  let cents = rest.magnitude < 10 ? "0\(rest.magnitude)" : "\(rest.magnitude)"
  return "\(sign)\(whole).\(cents) \(currency)"
}
