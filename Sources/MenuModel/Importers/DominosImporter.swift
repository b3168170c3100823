public import Foundation

/// Reads one store's menu as the Domino's ordering API gives it.
///
/// Categories, products and variants keep the file's order; whatever the file keeps in objects
/// without an order (toppings, coupons, products in no category) comes sorted by code. Ids are
/// counted from 1 in that order, so that equal content has equal ids. Everything without a place in
/// the menu model is counted in the notes.
public struct DominosImporter: MenuImporter {
  /// `dominos`.
  public let id = "dominos"
  /// What the format is, in one line.
  public let summary = "one store's menu from the Domino's ordering API"

  /// Makes the importer.
  public init() {}

  /// Whether the sections that every such menu has are there.
  public func recognises(topLevelKeys: Set<String>) -> Bool {
    topLevelKeys.isSuperset(of: ["Categorization", "Products", "Variants"])
  }

  /// Reads a menu; the notes say what was left out or assumed.
  ///
  /// - Throws: `DecodingError` where a record lacks its name, or a price is none.
  public func importMenu(from data: Data) throws -> ImportedMenu {
    var catalogue = DominosCatalogue(try JSONDecoder().decode(DominosFile.self, from: data))
    let menu = catalogue.menu()
    return ImportedMenu(menu: menu, format: id, notes: catalogue.notes.lines)
  }
}
