import Foundation

/// A file's bytes, read in place: the header is checked when it is made, in constant time, and every
/// record when it is touched. Nothing is copied and no menu is built.
final class FlatImage {
  /// All of the file.
  let bytes: UnsafeRawBufferPointer
  private let owner: AnyObject?

  let categories: FlatSection<FlatCategory>
  let ingredients: FlatSection<FlatIngredient>
  let modifierGroups: FlatSection<FlatModifierGroup>
  let modifiers: FlatSection<FlatModifier>
  let sizePrices: FlatSection<FlatPrice>
  let stopList: FlatSection<FlatStop>
  let translations: FlatSection<FlatTranslation>
  let productIndex: FlatSection<FlatIndexEntry>
  let comboIndex: FlatSection<FlatIndexEntry>
  let combos: FlatSection<FlatCombo>
  let slots: FlatSection<FlatSlot>
  let optionLists: FlatSection<FlatOptionList>
  let options: FlatSection<FlatOption>
  let products: FlatSection<FlatProduct>
  let variants: FlatSection<FlatVariant>
  let nutrition: FlatSection<FlatNutrition>
  let priceTiers: FlatSection<FlatPrice>
  let parts: FlatSection<FlatPart>
  let tags: FlatSection<UInt32>
  let groupIDs: FlatSection<Int>
  let textStarts: FlatSection<UInt32>
  let text: FlatSection<UInt8>
  let menus: FlatSection<FlatMenu>

  /// Checks the header and finds the sections.
  ///
  /// - Parameter owner: what keeps the bytes; nil where the caller does, for as long as the image is
  ///   used.
  /// - Throws: ``FlatFault``.
  init(_ bytes: UnsafeRawBufferPointer, owner: AnyObject? = nil) throws {
    self.bytes = bytes
    self.owner = owner
    var layout = try FlatLayout(bytes)
    menus = layout.next("menus")
    categories = layout.next("categories")
    ingredients = layout.next("ingredients")
    modifierGroups = layout.next("modifier groups")
    modifiers = layout.next("modifiers")
    sizePrices = layout.next("size prices")
    stopList = layout.next("stop list entries")
    translations = layout.next("translations")
    productIndex = layout.next("product index entries")
    comboIndex = layout.next("combo index entries")
    combos = layout.next("combos")
    slots = layout.next("slots")
    optionLists = layout.next("option lists")
    options = layout.next("options")
    products = layout.next("products")
    variants = layout.next("variants")
    nutrition = layout.next("nutrition records")
    priceTiers = layout.next("price tiers")
    parts = layout.next("product ingredients")
    tags = layout.next("tags")
    groupIDs = layout.next("modifier group ids")
    textStarts = layout.next("text starts")
    text = layout.next("bytes of text")
    try layout.finish()
  }

  /// The file's bytes as data that keeps their owner.
  func data() -> Data {
    guard let start = bytes.baseAddress else { return Data() }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
      deallocator: .custom { [owner] _, _ in withExtendedLifetime(owner) {} })
  }

  /// The menu's own fields.
  func menu() throws -> FlatMenu { try menus.record(0) }

  /// The menu's own products, without the copies that differ.
  func ownProducts() throws -> FlatRun<FlatProduct> {
    try products.run(FlatRange(count: try menu().products))
  }

  /// Compares the checksum: every byte after it is read.
  ///
  /// - Throws: ``FlatFault`` where they differ.
  func verify() throws {
    let offset = FlatFormat.checksumOffset
    let covered = UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)...])
    let said = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    guard FlatHash.hash(covered) == said else {
      throw FlatFault(reason: "the file is damaged: its checksum differs", offset: offset)
    }
  }
}
