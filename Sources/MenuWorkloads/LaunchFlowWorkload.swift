import BackendKit
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// `launch-flow`: a menu is fetched, mapped to a screen and stored.
///
/// By default the app shows what it parsed and stores it behind, so the user waits for no storage.
/// With `show=stored` it stores first, and shows what it reads back, as an app on an object
/// database does. The network's time is given, not waited for.
///
/// A backend that parses responses (``ResponseParsing``) parses this one. For every other backend
/// the response is JSON, which Foundation parses. As in an app, no cache is emptied between storing
/// and reading back.
package struct LaunchFlowWorkload: Workload {
  package let name = "launch-flow"
  package let summary =
    "a menu fetched, mapped to view models and stored: what the user waits for, and the save behind"
  package let ownDurability = Durability.durable
  /// The network's time, in milliseconds.
  package var network = 500
  /// The menu that the app shows.
  package var show = Show.parsed

  /// Which menu the app shows.
  package enum Show: String, CaseIterable, Sendable {
    /// The one that it parsed.
    case parsed
    /// The one that it reads back from its store.
    case stored
  }

  package init() {}

  package static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter(
        "network", \.network, in: 0...600_000, standard: 500,
        "assumed milliseconds to fetch the menu"),
      WorkloadParameter(
        "show", \.show, standard: .parsed,
        "the menu that the app shows: as parsed, and stored behind, or as read back from its store"),
    ]
  }
  package static var variants: [String] { ["", "show=stored"] }

  /// The given network time, parsing the response, encoding and writing with its share of a
  /// checkpoint, reading and decoding (or taking the document held), and mapping. The sum of what
  /// the user waits for, without the network and with it.
  package var phases: [Phase] {
    switch show {
    case .parsed:
      [
        .network, .parse, .map, .afterNetwork, .total, .storeBehind, .shareBehind, .checkpoint,
      ]
    case .stored:
      [
        .network, .parse, .store, .checkpointShare, .readBack, .map, .afterStored, .total,
        .checkpoint,
      ]
    }
  }

  /// The network's responses, and the screens expected by the menus' checksums.
  package struct Plan {
    let responses = Responses()
    var screens: [Checksum: MenuScreen]
  }

  /// Plans the screens of the menu and of the revision that alternates with it.
  package func plan(for menu: Menu) throws -> Plan {
    let screens = Fixtures(menu).both.map { ($0.fingerprint, MenuScreen($0.document)) }
    return Plan(screens: Dictionary(screens) { first, _ in first })
  }

  /// Parses, maps and stores the menu. The screen and the stored menu must be the expected ones.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Plan
  ) throws {
    let (backend, fixture) = (site.backend, site.fixture)
    let log = try LogCycle.ofSaves(on: site)
    try backend.prepare(fixture.document)
    var share = 0.0
    let shown: MenuScreen
    let stored: Menu
    switch show {
    case .parsed:
      let parsed = try site.parse(fixture, plan.responses)
      shown = site.measure(.map) { MenuScreen(parsed) }
      // A backend that keeps the response stores that, not what was parsed from it.
      let kept = site.keepsResponse ? fixture.document : parsed
      try log?.begin()
      try site.measure(.storeBehind) { try backend.put(kept) }
      log?.charge(.shareBehind, on: site)
      stored = try backend.whole()
    case .stored:
      let fetched = try site.parseToStore(fixture, plan.responses)
      try log?.begin()
      try site.measure(.store) { try backend.put(fetched) }
      share = log?.charge(.checkpointShare, on: site) ?? 0
      // A backend that holds what was just stored has nothing to read.
      let holding = backend as? any DocumentHolding<Menu>
      stored = try site.measure(.readBack) {
        try holding?.held() ?? backend.decode(backend.read())
      }
      shown = site.measure(.map) { MenuScreen(stored) }
    }
    try log?.end()
    guard stored.fingerprint == fixture.fingerprint else {
      throw WorkloadFailure(
        "the menu read back differs from the one fetched: "
          + difference(fixture.document, stored))
    }
    guard shown == plan.screens[fixture.fingerprint] ?? MenuScreen(fixture.document) else {
      throw WorkloadFailure("the screen shown differs from the menu")
    }
    note(share, on: site)
  }

  private func note<Clock: WallClock>(
    _ share: Double, on site: WorkSite<some Backend, Clock>
  ) {
    func sum(_ phases: [Phase]) -> Double { phases.compactMap(site.lastWall).reduce(0, +) }
    let network = Double(network) * 1e6
    let persistence = show == .stored ? sum([.store, .readBack]) + share : 0
    let own = persistence + sum([.parse, .map])
    let total = network + own
    site.note(network, .network)
    site.note(own, show == .stored ? .afterStored : .afterNetwork)
    site.note(total, .total)
    guard show == .stored, total > 0 else { return }
    site.note(persistence / total * 100, of: .persistenceShare, .total)
  }
}

/// The network's responses, in the form that the measured backend parses. Each is made once.
package final class Responses {
  private var made: [Checksum: Data] = [:]

  /// Returns the response that brings a menu. It is JSON if there is no parser of the backend's.
  func response(
    with fixture: Fixture<Menu>, for parser: (any ResponseParsing<Menu>)?
  ) throws -> Data {
    if let known = made[fixture.fingerprint] { return known }
    let response =
      try parser?.response(of: fixture.document) ?? JSONCodec().encode(fixture.document)
    made[fixture.fingerprint] = response
    return response
  }
}

extension WorkSite where B.Document == Menu {
  /// Whether the backend keeps the network's response as it came.
  var keepsResponse: Bool { (backend as? any ResponseParsing)?.keepsResponse == true }

  /// Parses the response that brings a menu, by the backend's own parser if it has one.
  func parse(_ fixture: Fixture<Menu>, _ responses: Responses) throws -> Menu {
    let parser = backend as? any ResponseParsing<Menu>
    let response = try responses.response(with: fixture, for: parser)
    return try measure(.parse) {
      try parser?.parse(response) ?? JSONCodec().decode(Menu.self, from: response)
    }
  }

  /// Returns the menu to store: from the response, or as given if the backend keeps the response.
  func parseToStore(_ fixture: Fixture<Menu>, _ responses: Responses) throws -> Menu {
    guard !keepsResponse else {
      skip(.parse, because: "the response is stored as it came")
      return fixture.document
    }
    return try parse(fixture, responses)
  }
}

extension Phase {
  static let network = Phase("network")
  static let parse = Phase("parse")
  fileprivate static let store = Phase("store", floor: .write)
  /// The same behind what the user sees: a cost of its own.
  fileprivate static let storeBehind = Phase(
    "store", floor: .write, decides: true, as: "store")
  fileprivate static let shareBehind = LogCycle.share(of: "store")
  fileprivate static let checkpointShare = LogCycle.share(of: nil)
  fileprivate static let readBack = Phase("read-back", floor: .read)
  fileprivate static let map = Phase("map")
  fileprivate static let afterNetwork = Phase("after-network", decides: true)
  fileprivate static let afterStored = Phase("after-network", decides: true, saves: true)
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
