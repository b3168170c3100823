import GRDB
import MenuModel

/// A modifier group with its options and their prices.
struct ModifierGroupInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var modifierGroup: ModifierGroupRecord
  var options: [ModifierOptionInfo]

  /// Every group, in the order of the menu.
  static var all: QueryInterfaceRequest<ModifierGroupInfo> {
    ModifierGroupRecord.all().ordered()
      .including(
        all: ModifierGroupRecord.options.including(all: ModifierOptionRecord.prices)
      )
      .asRequest(of: ModifierGroupInfo.self)
  }
}

/// A modifier option with its prices.
struct ModifierOptionInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var option: ModifierOptionRecord
  var prices: [ModifierPriceRecord]
}

extension ModifierGroupInfo {
  init(_ group: ModifierGroup, at position: Int) {
    modifierGroup = ModifierGroupRecord(
      id: group.id, position: position, name: group.name.stored, min: group.min, max: group.max,
      free: group.free, isRequired: group.isRequired)
    options = group.options.enumerated().map {
      ModifierOptionInfo($0.element, of: group.id, at: $0.offset)
    }
  }

  /// The group.
  func group() throws -> ModifierGroup {
    ModifierGroup(
      id: modifierGroup.id, name: try modifierGroup.name.restored(), min: modifierGroup.min,
      max: modifierGroup.max, free: modifierGroup.free, isRequired: modifierGroup.isRequired,
      options: try options.map { option in
        ModifierOption(
          ingredientID: option.option.ingredientId,
          prices: try option.prices.map {
            SizePrice(size: try $0.size.restored(), price: $0.price)
          })
      })
  }

  /// Gives the group, then its options, each with its prices.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(modifierGroup)
    for option in options {
      try sink.take(option.option)
      for price in option.prices { try sink.take(price) }
    }
  }
}

extension ModifierOptionInfo {
  fileprivate init(_ option: ModifierOption, of group: Int, at position: Int) {
    self.option = ModifierOptionRecord(
      modifierGroupId: group, position: position, ingredientId: option.ingredientID)
    prices = option.prices.enumerated().map {
      ModifierPriceRecord(
        modifierGroupId: group, optionPosition: position, position: $0.offset,
        size: $0.element.size.stored, price: $0.element.price)
    }
  }
}
