import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// `launch-flow`: the menu comes from the network, is stored, read back, and mapped to what is shown.
///
/// The network's time is given, not waited for: what is asked is which part of the whole is
/// persistence. An app that shows what it has fetched, and stores it meanwhile, has no such part.
///
/// The response is JSON, decoded before it is stored; but not where the backend keeps it as it came
/// (`Backend.keepsResponse`), whose only decoding is that of reading back. Between storing and reading
/// back no cache is emptied, as none is in an app.
package struct LaunchFlowWorkload: Workload {
  package let name = "launch-flow"
  package let summary =
    "a menu fetched, stored, read back and mapped to view models: the share that is persistence"
  /// The network as given; decoding its response; encoding and writing; reading and decoding, or
  /// what the process holds since it stored it; mapping; the sum of all but the network; and the sum.
  package let phases: [Phase] = [.network, .parse, .store, .readBack, .map, .afterNetwork, .total]
  /// What the network took, in milliseconds.
  package var network = 500

  package init() {}

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "network", \.network, in: 0...600_000, standard: 500,
        "milliseconds that fetching the menu is taken to last")
    ]
  }

  /// What comes from the network, by the menus' checksums.
  package typealias Plan = [Checksum: Fetch]

  /// One menu as it comes, and what must be shown of it.
  package struct Fetch: Sendable {
    let response: Data
    var screen: MenuScreen

    init(_ menu: Menu) throws {
      response = try JSONCodec().encode(menu)
      screen = MenuScreen(menu)
    }
  }

  /// The responses of the menu and of the revision that is stored in turn with it, and what is shown.
  package func plan(for menu: Menu) throws -> Plan {
    let fetches = try Fixtures(menu).both.map { ($0.fingerprint, try Fetch($0.document)) }
    return Dictionary(fetches) { first, _ in first }
  }

  /// Stores the menu, reads it back and maps it; what is shown must be what the menu says.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let (backend, menu) = (site.backend, site.fixture.document)
    let fetch = try plan[site.fixture.fingerprint] ?? Fetch(menu)
    try backend.prepare(menu)
    let fetched = try site.parse(menu, from: fetch.response)
    try site.measure(.store) { try backend.put(fetched) }
    // Who holds what was just stored has nothing to read.
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
      throw WorkloadFailure("what is shown differs from what the menu says")
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
  /// The menu to store: out of the response, or as the backend was given it with its response.
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

/// What an app shows of a menu: flat rows of text, made once and scrolled often.
package struct MenuScreen: Hashable, Sendable {
  /// Categories with their products, then the combos.
  package let rows: [Row]

  package struct Row: Hashable, Sendable {
    package let title: String
    /// The text under it; for a combo the names of its default products.
    package let text: String
    /// The price as shown, empty where there is none.
    package let price: String
  }

  /// Maps a menu: products that are not on sale are left out.
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
  /// A product: from the price of its cheapest variant, where there are several.
  fileprivate init(_ product: Product, _ currency: String) {
    let cheapest = product.variants.map(\.price).min().map { priceText($0, currency) } ?? ""
    title = product.name
    text = product.details
    price = product.variants.count > 1 ? "from \(cheapest)" : cheapest
  }
}

/// A price in minor units, a hundred to the whole: `589 RUB`, `7.50 EUR`.
private func priceText(_ price: Int, _ currency: String) -> String {
  let (whole, rest) = price.quotientAndRemainder(dividingBy: 100)
  let sign = price < 0 && whole == 0 ? "-" : ""
  guard rest != 0 else { return "\(whole) \(currency)" }
  let cents = rest.magnitude < 10 ? "0\(rest.magnitude)" : "\(rest.magnitude)"
  return "\(sign)\(whole).\(cents) \(currency)"
}
