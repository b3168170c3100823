import MenuModel

extension PBOptionList {
  init(_ list: OptionList) {
    self.init()
    id = Int64(list.id)
    options = list.options.map { PBSlotOption($0) }
  }
}

extension OptionList {
  init(_ message: PBOptionList) throws {
    try message.refuseUnknownFields()
    self.init(id: Int(message.id), options: try message.options.map { try SlotOption($0) })
  }
}

extension PBSlot.OwnOptions {
  init(_ options: [SlotOption]) {
    self.init()
    self.options = options.map { PBSlotOption($0) }
  }

  /// The options as the model has them.
  func values() throws -> [SlotOption] {
    try refuseUnknownFields()
    return try options.map { try SlotOption($0) }
  }
}

extension PBSlotOption {
  init(_ option: SlotOption) {
    self.init()
    productID = Int64(option.productID)
    if let variant = option.variantID { variantID = Int64(variant) }
    surcharge = Int64(option.surcharge)
    if let product = option.product { self.product = PBProduct(product) }
  }
}

extension SlotOption {
  init(_ message: PBSlotOption) throws {
    try message.refuseUnknownFields()
    self.init(
      productID: Int(message.productID),
      variantID: message.hasVariantID ? Int(message.variantID) : nil,
      surcharge: Int(message.surcharge),
      product: message.hasProduct ? try Product(message.product) : nil)
  }
}
