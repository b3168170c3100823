import GRDB
import MenuModel

/// A shared list with its options.
struct OptionListInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var optionList: OptionListRecord
  var options: [ListOptionRecord]

  /// Every list, in the order of the menu.
  static var all: QueryInterfaceRequest<OptionListInfo> {
    OptionListRecord.all().ordered()
      .including(all: OptionListRecord.options)
      .asRequest(of: OptionListInfo.self)
  }
}

extension OptionListInfo {
  /// Throws ``StorageError`` where an embedded product is not the menu's own.
  init(_ list: OptionList, at position: Int, _ catalogue: Catalogue) throws {
    optionList = OptionListRecord(id: list.id, position: position)
    options = try list.options.enumerated().map { position, option in
      try option.product.map { try catalogue.check($0, of: option) }
      return ListOptionRecord(
        optionListId: list.id, position: position, productId: option.productID,
        variantId: option.variantID, surcharge: option.surcharge,
        embedsProduct: option.product != nil)
    }
  }

  /// The list.
  func list(_ catalogue: Catalogue) throws -> OptionList {
    OptionList(id: optionList.id, options: try options.map { try $0.option(catalogue) })
  }

  /// Gives the list, then its options.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(optionList)
    for option in options { try sink.take(option) }
  }
}
