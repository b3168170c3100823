import MenuModel

extension FlatReader {
  /// Feeds a combo with its options and their products to a checksum as `ResolvedCombo` does.
  mutating func add(_ combo: FlatCombo, to checksum: inout Checksum) throws {
    checksum.add(combo.id)
    try addOptional(combo.code, to: &checksum)
    try add(combo.name, to: &checksum)
    try add(combo.details, to: &checksum)
    checksum.add(combo.price)
    checksum.add(combo.oldPrice)
    try add(combo.image, to: &checksum)
    var named = NamedProducts(of: image.products.count)
    let slots = try run(combo.slots, of: image.slots)
    checksum.add(slots.count)
    for index in 0..<slots.count { try add(slots[index], &named, to: &checksum) }
    checksum.add(named.inOrder.count)
    for product in named.inOrder {
      try add(try self.product(product.record, id: product.id), to: &checksum)
    }
  }

  @inline(__always)
  private mutating func add(
    _ slot: FlatSlot, _ named: inout NamedProducts, to checksum: inout Checksum
  ) throws {
    checksum.add(slot.id)
    try add(slot.name, to: &checksum)
    checksum.add(slot.min)
    checksum.add(slot.max)
    checksum.add(slot.defaultProductID)
    let options = try run(slot.options, of: image.options)
    checksum.add(options.count)
    for index in 0..<options.count {
      let option = options[index]
      checksum.add(option.productID)
      checksum.add(option.variantID)
      checksum.add(option.surcharge)
      if option.product != FlatFormat.none { named.add(option) }
    }
  }
}

/// The products that options name, each once, in the order in which they are first named.
private struct NamedProducts {
  private var seen: [UInt64]
  private(set) var inOrder: [(record: UInt32, id: Int)] = []

  init(of count: Int) { seen = Array(repeating: 0, count: count / 64 + 1) }

  /// A record that there is not is kept too: reading it says what is wrong.
  @inline(__always)
  mutating func add(_ option: FlatOption) {
    let word = Int(option.product) / 64
    let bit: UInt64 = 1 << UInt64(option.product % 64)
    if word < seen.count {
      guard seen[word] & bit == 0 else { return }
      seen[word] |= bit
    }
    inOrder.append((option.product, option.productID))
  }
}
