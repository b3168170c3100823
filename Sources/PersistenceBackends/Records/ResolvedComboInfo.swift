import GRDB
import MenuModel

/// A combo whose slots have their options with them, whether shared or their own.
struct ResolvedComboInfo: Decodable, FetchableRecord {
  var combo: ComboRecord
  var slots: [ResolvedSlotInfo]

  /// The combos of a request.
  static func request(
    _ combos: QueryInterfaceRequest<ComboRecord>
  ) -> QueryInterfaceRequest<ResolvedComboInfo> {
    combos
      .including(
        all: ComboRecord.slots
          .including(all: SlotRecord.options)
          .including(
            optional: SlotRecord.optionList.including(all: OptionListRecord.options))
      )
      .asRequest(of: ResolvedComboInfo.self)
  }

  /// The products that the options name, each once, in the order in which they are first named.
  var productIds: [Int] {
    var seen: Set<Int> = []
    return slots.flatMap { slot in slot.shown.map(\.productId) }
      .filter { seen.insert($0).inserted }
  }

  /// The combo, given at least the products that ``productIds`` names.
  func resolved(_ products: [Product]) throws -> ResolvedCombo {
    let catalogue = Catalogue(products)
    return ResolvedCombo(
      combo: try combo.combo(try slots.map { try $0.slot.slot($0.options, catalogue) }),
      options: try slots.map { try $0.shown.map { try $0.option(catalogue) } },
      products: try productIds.map { try catalogue.product($0) })
  }
}

/// A slot with its own options and the list that it shares, as far as they are there.
struct ResolvedSlotInfo: Decodable, FetchableRecord {
  var slot: SlotRecord
  var options: [SlotOptionRecord]
  var optionList: OptionListInfo?

  /// What a customer is shown.
  var shown: [any OptionRecord] {
    slot.hasOwnOptions ? options : optionList?.options ?? []
  }
}
