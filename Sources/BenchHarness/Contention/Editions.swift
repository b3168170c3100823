import MenuModel

/// Two revisions of a menu that share no product: what belongs to neither was torn.
public struct Editions: Sendable {
  /// The two menus with their fingerprints.
  let menus: [Fixture<Menu>]
  /// The products' ids, in the menu's order.
  let products: [Int]
  private let checksums: [Int: [Checksum]]

  /// Makes another revision in which every price and every product's availability differs.
  ///
  /// - Throws: ``WorkloadFailure`` where the menu has no products.
  init(_ menu: Menu) throws {
    guard !menu.products.isEmpty else { throw WorkloadFailure("the menu has no product to read") }
    let other = try menu.otherEdition()
    menus = [Fixture(menu), Fixture(other)]
    products = menu.products.map(\.id)
    checksums = Dictionary(
      zip(menu.products, other.products).map { ($0.id, [$0.checksum, $1.checksum]) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What is wrong with a product that was read; nil where it is wholly of one of the revisions.
  func fault(in product: Checksum?, id: Int) -> String? {
    guard let product else { return "product \(id) was not there" }
    guard checksums[id]?.contains(product) != true else { return nil }
    return "product \(id) was neither the one nor the other revision's"
  }

  /// Whether what a reader got of a product, or of all, is of this one of the two revisions.
  func isOf(_ edition: Int, _ found: Sighting, id: Int) -> Bool {
    switch found {
    case .product(let product): product != nil && product == checksums[id]?[edition]
    case .menu(let menu): menu.fingerprint == menus[edition].fingerprint
    }
  }

  /// What is wrong with a menu that was read; nil where it is wholly one of the revisions.
  func fault(in menu: Menu) -> String? {
    let fingerprint = menu.fingerprint
    guard !menus.contains(where: { $0.fingerprint == fingerprint }) else { return nil }
    let claimed = menus.first { $0.document.revision == menu.revision } ?? menus[0]
    let place = firstDifference(claimed.document, menu) ?? "the order or form of some part"
    return "a menu of revision \(menu.revision) was not all of it: \(place)"
  }
}

extension Menu {
  /// The next revision, with another price of every variant and another availability of every
  /// product: of as many parts, and of nearly as many bytes.
  fileprivate func otherEdition() throws -> Menu {
    var other = self
    try other.apply(
      MenuPatch(
        revision: revision ^ 1,
        prices: products.flatMap(\.variants).map { .init(variantID: $0.id, price: $0.price ^ 1) },
        availability: products.map {
          .init(productID: $0.id, availability: $0.availability.next)
        }))
    return other
  }
}

extension Product.Availability {
  fileprivate var next: Self {
    switch self {
    case .available: .comboOnly
    case .comboOnly: .hidden
    case .hidden: .available
    }
  }
}

extension Product {
  fileprivate var checksum: Checksum {
    var checksum = Checksum()
    visit(&checksum)
    return checksum
  }
}
