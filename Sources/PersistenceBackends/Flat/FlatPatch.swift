import MenuModel

/// Changes prices and availability in a copy of a file's bytes: fixed-width fields are overwritten,
/// and no menu is built.
struct FlatPatch {
  private let patch: MenuPatch
  private let prices: [Int: Int]
  private let availability: [Int: Product.Availability]

  init(_ patch: MenuPatch) {
    self.patch = patch
    prices = Dictionary(patch.prices.map { ($0.variantID, $0.price) }, uniquingKeysWith: { $1 })
    availability = Dictionary(
      patch.availability.map { ($0.productID, $0.availability) }, uniquingKeysWith: { $1 })
  }

  /// Changes a file's bytes, which must be whole: an old checksum that differs is not replaced by a
  /// new one that hides the damage.
  ///
  /// - Throws: ``FlatFault`` where the bytes are damaged, `UnknownPatchTarget` where the patch names
  ///   what is not there; either before anything is changed.
  func apply(to file: UnsafeMutableRawBufferPointer) throws {
    let image = try FlatImage(UnsafeRawBufferPointer(file))
    try image.verify()
    try check(image)
    try patchMenu(of: image, in: file)
    if !availability.isEmpty { patchProducts(of: image, in: file) }
    if !prices.isEmpty { patchVariants(of: image, in: file) }
    FlatFormat.seal(file)
  }

  private func check(_ image: FlatImage) throws {
    var reader = FlatReader(image)
    for change in patch.availability
    where try reader.find(change.productID, in: image.productIndex) == nil {
      throw UnknownPatchTarget(entity: .product, id: change.productID)
    }
    guard !prices.isEmpty else { return }
    let variants = try image.variants.run(FlatRange(count: try image.menu().variants))
    var known: Set<Int> = []
    for index in 0..<variants.count where prices[variants[index].id] != nil {
      known.insert(variants[index].id)
    }
    for change in patch.prices where !known.contains(change.variantID) {
      throw UnknownPatchTarget(entity: .variant, id: change.variantID)
    }
  }

  private func patchMenu(of image: FlatImage, in file: UnsafeMutableRawBufferPointer) throws {
    var menu = try image.menu()
    menu.revision = patch.revision
    Self.store(menu, at: image.menus.offset, in: file)
  }

  /// The menu's own products and the copies of them.
  private func patchProducts(of image: FlatImage, in file: UnsafeMutableRawBufferPointer) {
    let products = image.products.all
    for index in 0..<products.count {
      var product = products[index]
      guard let change = availability[product.id] else { continue }
      product.availability = change.code
      Self.store(product, at: products.offset(of: index), in: file)
    }
  }

  private func patchVariants(of image: FlatImage, in file: UnsafeMutableRawBufferPointer) {
    let variants = image.variants.all
    for index in 0..<variants.count {
      var variant = variants[index]
      guard let price = prices[variant.id] else { continue }
      variant.price = price
      Self.store(variant, at: variants.offset(of: index), in: file)
    }
  }

  /// Overwrites a record that was read from its place.
  private static func store(
    _ record: some FlatRecord, at offset: Int, in file: UnsafeMutableRawBufferPointer
  ) {
    guard let start = file.baseAddress else { return }
    record.store(at: start + offset)
  }
}
