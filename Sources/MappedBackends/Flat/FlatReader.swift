import BackendKit
import MenuModel

/// Reads parts of a menu in place and counts the bytes of what it takes: the records, and for a text
/// the two numbers that say where it stands, and its bytes. What is taken twice counts twice.
struct FlatReader {
  let image: FlatImage
  private(set) var bytesRead = 0

  init(_ image: FlatImage) { self.image = image }

  /// One record.
  @inline(__always)
  mutating func record<Record>(
    _ index: UInt32, of section: FlatSection<Record>
  ) throws -> Record {
    bytesRead += Record.size
    return try section.record(index)
  }

  /// Some records.
  @inline(__always)
  mutating func run<Record>(
    _ range: FlatRange, of section: FlatSection<Record>
  ) throws -> FlatRun<Record> {
    bytesRead += Int(range.count) * Record.size
    return try section.run(range)
  }

  /// The bytes of a text.
  @inline(__always)
  mutating func text(_ number: UInt32) throws -> UnsafeRawBufferPointer {
    let bytes = try image.textBytes(number)
    bytesRead += 2 * UInt32.size + bytes.count
    return bytes
  }

  /// Feeds a text to a checksum.
  @inline(__always)
  mutating func add(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(utf8: try text(number))
  }

  /// Feeds a text that may be absent to a checksum.
  @inline(__always)
  mutating func addOptional(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(number != FlatFormat.none)
    if number != FlatFormat.none { try add(number, to: &checksum) }
  }

  /// The record of an id by binary search in an index; nil where there is none.
  mutating func find(_ id: Int, in index: FlatSection<FlatIndexEntry>) throws -> UInt32? {
    let entries = index.all
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let entry = entries[middle]
      bytesRead += FlatIndexEntry.size
      if entry.id == id { return entry.record }
      if entry.id < id { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The product of an option or of an index.
  ///
  /// - Throws: ``FlatFault`` where the record is another product's.
  @inline(__always)
  mutating func product(_ index: UInt32, id: Int) throws -> FlatProduct {
    let product = try record(index, of: image.products)
    guard product.id == id else {
      throw FlatFault(
        reason: "product record \(index) is product \(product.id), not \(id)",
        offset: image.products.offset)
    }
    return product
  }

  /// The combo of an index.
  ///
  /// - Throws: ``FlatFault`` where the record is another combo's.
  mutating func combo(_ index: UInt32, id: Int) throws -> FlatCombo {
    let combo = try record(index, of: image.combos)
    guard combo.id == id else {
      throw FlatFault(
        reason: "combo record \(index) is combo \(combo.id), not \(id)",
        offset: image.combos.offset)
    }
    return combo
  }
}

extension FlatReader {
  /// Feeds a product to a checksum as `Product` does.
  mutating func add(_ product: FlatProduct, to checksum: inout Checksum) throws {
    guard let kind = Product.Kind(code: product.kind),
      let availability = Product.Availability(code: product.availability)
    else { throw product.fault(image.products.offset) }
    checksum.add(product.id)
    try addOptional(product.code, to: &checksum)
    checksum.add(product.categoryID)
    checksum.add(kind.rawValue)
    try add(product.name, to: &checksum)
    try add(product.details, to: &checksum)
    try addTags(product.tags, to: &checksum)
    checksum.add(availability.rawValue)
    try addVariants(product.variants, to: &checksum)
    try addParts(product.ingredients, to: &checksum)
    try addGroupIDs(product.modifierGroups, to: &checksum)
  }

  private mutating func addTags(_ range: FlatRange, to checksum: inout Checksum) throws {
    let tags = try run(range, of: image.tags)
    checksum.add(tags.count)
    for index in 0..<tags.count { try add(tags[index], to: &checksum) }
  }

  private mutating func addParts(_ range: FlatRange, to checksum: inout Checksum) throws {
    let parts = try run(range, of: image.parts)
    checksum.add(parts.count)
    for index in 0..<parts.count {
      let part = parts[index]
      checksum.add(part.ingredientID)
      checksum.add(part.isRemovable)
    }
  }

  private mutating func addGroupIDs(_ range: FlatRange, to checksum: inout Checksum) throws {
    let ids = try run(range, of: image.groupIDs)
    checksum.add(ids.count)
    for index in 0..<ids.count { checksum.add(ids[index]) }
  }

  private mutating func addVariants(_ range: FlatRange, to checksum: inout Checksum) throws {
    let variants = try run(range, of: image.variants)
    checksum.add(variants.count)
    for index in 0..<variants.count { try add(variants[index], to: &checksum) }
  }

  @inline(__always)
  private mutating func add(_ variant: FlatVariant, to checksum: inout Checksum) throws {
    checksum.add(variant.id)
    try addOptional(variant.code, to: &checksum)
    try add(variant.size, to: &checksum)
    try addOptional(variant.dough, to: &checksum)
    checksum.add(variant.weight)
    checksum.add(variant.price)
    let tiers = try run(variant.priceTiers, of: image.priceTiers)
    checksum.add(tiers.count)
    for index in 0..<tiers.count {
      let tier = tiers[index]
      try add(tier.text, to: &checksum)
      checksum.add(tier.price)
    }
    try add(variant.image, to: &checksum)
    try addNutrition(variant.nutrition, to: &checksum)
  }

  @inline(__always)
  private mutating func addNutrition(_ number: UInt32, to checksum: inout Checksum) throws {
    checksum.add(number != FlatFormat.none)
    guard number != FlatFormat.none else { return }
    let nutrition = try record(number, of: image.nutrition)
    nutrition.per100g.visit(&checksum)
    nutrition.whole.visit(&checksum)
  }
}

extension FlatFacts {
  @inline(__always)
  fileprivate func visit(_ checksum: inout Checksum) {
    checksum.add(energy)
    checksum.add(proteins)
    checksum.add(fats)
    checksum.add(carbohydrates)
  }
}

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

extension FlatReader {
  /// Feeds what an app shows first to a checksum as `FirstScreen` does: there is no index of shelves,
  /// so every product's record is looked at.
  mutating func addFirstScreen(to checksum: inout Checksum) throws {
    let categories = try first(.max, of: image.categories)
    checksum.add(categories.count)
    for index in 0..<categories.count { try add(categories[index], to: &checksum) }
    let menu = try record(0, of: image.menus)
    let products = try run(FlatRange(count: menu.products), of: image.products)
    let shown = Self.shelf(categories, products)
    checksum.add(shown.count)
    for index in shown { try add(products[index], to: &checksum) }
    let combos = try first(FirstScreen.combos, of: image.combos)
    checksum.add(combos.count)
    for index in 0..<combos.count { try add(combos[index], to: &checksum) }
  }

  private mutating func add(_ category: FlatCategory, to checksum: inout Checksum) throws {
    checksum.add(category.id)
    checksum.add(category.parentID)
    try add(category.name, to: &checksum)
  }

  /// The first records of a section, as many as there are.
  private mutating func first<Record>(
    _ count: Int, of section: FlatSection<Record>
  ) throws -> FlatRun<Record> {
    try run(FlatRange(count: UInt32(Swift.min(count, section.count))), of: section)
  }

  /// The indices of the products of the first category that has any.
  private static func shelf(
    _ categories: FlatRun<FlatCategory>, _ products: FlatRun<FlatProduct>
  ) -> [Int] {
    let shelves = (0..<products.count).map { products[$0].categoryID }
    let filled = Set(shelves)
    let first = (0..<categories.count).lazy.map { categories[$0].id }.first(where: filled.contains)
    return shelves.indices.filter { shelves[$0] == first }
  }
}

/// A product in place: a view of the file's bytes, which it keeps mapped.
package struct FlatProductView: NamedPart {
  let source: FlatSource
  let record: FlatProduct

  /// Feeds every field, from the file to the checksum.
  ///
  /// - Throws: ``StoreError`` where the bytes contradict the format.
  package func visit(_ checksum: inout Checksum) throws {
    try source.read { try $0.add(record, to: &checksum) }
  }

  /// Feeds the name, from the file to the checksum.
  ///
  /// - Throws: ``StoreError`` where the bytes contradict the format.
  package func visitName(_ checksum: inout Checksum) throws {
    try source.read { try $0.add(record.name, to: &checksum) }
  }
}

/// A combo in place, with its options and products: a view of the file's bytes, which it keeps
/// mapped. They are looked up while it is visited.
package struct FlatComboView: MenuPart {
  let source: FlatSource
  let record: FlatCombo

  /// Feeds every field, from the file to the checksum.
  ///
  /// - Throws: ``StoreError`` where the bytes contradict the format.
  package func visit(_ checksum: inout Checksum) throws {
    try source.read { try $0.add(record, to: &checksum) }
  }
}

/// What an app shows first, in place: a view of the file's bytes, which it keeps mapped.
package struct FlatScreenView: MenuPart {
  let source: FlatSource

  /// Feeds every field, from the file to the checksum.
  ///
  /// - Throws: ``StoreError`` where the bytes contradict the format.
  package func visit(_ checksum: inout Checksum) throws {
    try source.read { try $0.addFirstScreen(to: &checksum) }
  }
}

/// A mapped file that parts are read from: its bytes, its name, and who counts.
struct FlatSource {
  let image: FlatImage
  let path: String
  let meter: FlatMeter

  /// Reads in place; what was taken is counted, and what contradicts the format becomes a
  /// ``StoreError``.
  @inline(__always)
  func read<Result>(_ body: (inout FlatReader) throws -> Result) throws -> Result {
    var reader = FlatReader(image)
    defer { meter.bytes += reader.bytesRead }
    return try located("read", path) { try body(&reader) }
  }
}

/// Counts the bytes taken from mappings.
final class FlatMeter {
  var bytes = 0
}

/// The key of a name as `NameSearch` makes it, from UTF-8 to UTF-8. ASCII and the Cyrillic letters
/// from U+0400 to U+045F are folded byte by byte: they have one lower case each, and none of them
/// composes with another. A name with anything else goes the reference's way.
struct FlatNameKey {
  /// The key made last.
  private(set) var bytes: [UInt8] = []

  /// Makes the key of a name.
  ///
  /// - Throws: ``FlatFault`` where the name is not UTF-8.
  mutating func fold(_ name: UnsafeRawBufferPointer, _ fallback: () throws -> String) rethrows {
    bytes.removeAll(keepingCapacity: true)
    var place = 0
    while place < name.count {
      if name[place] < 0x80 {
        let byte = name[place]
        bytes.append((0x41...0x5A).contains(byte) ? byte + 0x20 : byte)
        place += 1
      } else if place + 1 < name.count, let letter = Self.letter(name[place], name[place + 1]) {
        let folded = Self.folded(letter)
        bytes.append(UInt8(0xC0 | folded >> 6))
        bytes.append(UInt8(0x80 | folded & 0x3F))
        place += 2
      } else {
        bytes = Array(NameSearch.key(try fallback()).utf8)
        return
      }
    }
  }

  /// The Cyrillic letter of two bytes.
  private static func letter(_ first: UInt8, _ second: UInt8) -> UInt16? {
    guard first == 0xD0 || first == 0xD1, second & 0xC0 == 0x80 else { return nil }
    let letter = UInt16(first & 0x1F) << 6 | UInt16(second & 0x3F)
    return letter <= 0x45F ? letter : nil
  }

  private static func folded(_ letter: UInt16) -> UInt16 {
    switch letter {
    case 0x401, 0x451: 0x435
    case 0x400...0x40F: letter + 0x50
    case 0x410...0x42F: letter + 0x20
    default: letter
    }
  }

  /// Whether the key made last holds another.
  func contains(_ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard wanted.count <= bytes.count else { return false }
    for start in 0...(bytes.count - wanted.count) where bytes[start] == first {
      if bytes[start..<(start + wanted.count)].elementsEqual(wanted) { return true }
    }
    return false
  }
}

extension FlatReader {
  /// The ids of products whose names contain a query, in the order of `NameSearch`.
  mutating func products(named query: String) throws -> [Int] {
    let wanted = Array(NameSearch.key(query).utf8)
    let menu = try record(0, of: image.menus)
    let products = try run(FlatRange(count: menu.products), of: image.products)
    var key = FlatNameKey()
    var found: [(id: Int, key: [UInt8])] = []
    for index in 0..<products.count {
      let product = products[index]
      try key.fold(try text(product.name)) { try image.makeText(product.name) }
      if key.contains(wanted) { found.append((product.id, key.bytes)) }
    }
    return found.sorted(by: Self.precedes).map(\.id)
  }

  private static func precedes(
    _ a: (id: Int, key: [UInt8]), _ b: (id: Int, key: [UInt8])
  ) -> Bool {
    a.key == b.key ? a.id < b.id : a.key.lexicographicallyPrecedes(b.key)
  }
}
