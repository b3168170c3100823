import GRDB
import MenuModel

/// A list of options that slots share, without the options.
struct OptionListRecord: OrderedRecord {
  static let databaseTableName = "optionList"
  static let options = hasMany(ListOptionRecord.self, key: "options").ordered()

  var id: Int
  var position: Int
}

/// An option of a shared list.
///
/// A product embedded in the menu is kept once, in its own table; the flag says to embed it again.
struct ListOptionRecord: OptionRecord {
  static let databaseTableName = "listOption"

  var optionListId: Int
  var position: Int
  var productId: Int
  var variantId: Int?
  var surcharge: Int
  var embedsProduct: Bool
}

/// An option of a list, whichever the list.
protocol OptionRecord: OrderedRecord {
  var productId: Int { get }
  var variantId: Int? { get }
  var surcharge: Int { get }
  var embedsProduct: Bool { get }
}

extension OptionRecord {
  /// The option, with the product of the catalogue where it embeds one.
  func option(_ catalogue: Catalogue) throws -> SlotOption {
    SlotOption(
      productID: productId, variantID: variantId, surcharge: surcharge,
      product: embedsProduct ? try catalogue.product(productId) : nil)
  }
}
