extension Menu {
  /// The options of a slot, whether shared or its own; empty where its list does not exist.
  ///
  /// Cost: a search of the option lists. To resolve many slots, use ``SlotResolver``.
  public func options(of slot: Slot) -> [SlotOption] {
    if let own = slot.options { return own }
    return optionLists.first { $0.id == slot.optionListID }?.options ?? []
  }
}

/// Finds the options of many slots of one menu: an index made once, then constant time a slot.
public struct SlotResolver: Sendable {
  private let lists: [Int: [SlotOption]]

  /// Indexes a menu's shared lists; of two with one id the first counts.
  public init(_ menu: Menu) {
    lists = Dictionary(
      menu.optionLists.map { ($0.id, $0.options) }, uniquingKeysWith: { first, _ in first })
  }

  /// The options of a slot, whether shared or its own; empty where its list does not exist.
  public func options(of slot: Slot) -> [SlotOption] {
    slot.options ?? slot.optionListID.flatMap { lists[$0] } ?? []
  }
}
