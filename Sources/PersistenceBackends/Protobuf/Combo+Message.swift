import MenuModel

extension PBCombo {
  init(_ combo: Combo) {
    self.init()
    id = Int64(combo.id)
    if let code = combo.code { self.code = code }
    name = combo.name
    details = combo.details
    if let price = combo.price { self.price = Int64(price) }
    if let oldPrice = combo.oldPrice { self.oldPrice = Int64(oldPrice) }
    image = combo.image
    slots = combo.slots.map { PBSlot($0) }
  }
}

extension Combo {
  init(_ message: PBCombo) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), code: message.hasCode ? message.code : nil, name: message.name,
      details: message.details, price: message.hasPrice ? Int(message.price) : nil,
      oldPrice: message.hasOldPrice ? Int(message.oldPrice) : nil, image: message.image,
      slots: try message.slots.map { try Slot($0) })
  }
}

extension PBSlot {
  init(_ slot: Slot) {
    self.init()
    id = Int64(slot.id)
    name = slot.name
    min = Int64(slot.min)
    max = Int64(slot.max)
    if let list = slot.optionListID { optionListID = Int64(list) }
    if let options = slot.options { own = OwnOptions(options) }
    if let product = slot.defaultProductID { defaultProductID = Int64(product) }
  }
}

extension Slot {
  init(_ message: PBSlot) throws {
    try message.refuseUnknownFields()
    self.init(
      id: Int(message.id), name: message.name, min: Int(message.min), max: Int(message.max),
      optionListID: message.hasOptionListID ? Int(message.optionListID) : nil,
      options: message.hasOwn ? try message.own.values() : nil,
      defaultProductID: message.hasDefaultProductID ? Int(message.defaultProductID) : nil)
  }
}
