import Foundation

extension FlatEncoder {
  /// The sections in their order behind the header, with the checksum.
  mutating func file(_ fields: FlatMenu) throws -> Data {
    var file = FlatAssembly(capacity: length)
    try file.add("menus", Self.section(of: fields))
    try file.add("categories", categories)
    try file.add("ingredients", ingredients)
    try file.add("modifier groups", modifierGroups)
    try file.add("modifiers", modifiers)
    try file.add("size prices", sizePrices)
    try file.add("stop list entries", stopList)
    try file.add("translations", translations)
    try file.add("product ids", productIndex.sorted())
    try file.add("combo ids", comboIndex.sorted())
    try file.add("combos", combos)
    try file.add("slots", slots)
    try file.add("option lists", optionLists)
    try file.add("options", options)
    try file.add("products", products)
    try file.add("variants", variants)
    try file.add("nutrition records", nutrition)
    try file.add("price tiers", priceTiers)
    try file.add("product ingredients", parts)
    try file.add("tags", tags)
    try file.add("modifier group ids", groupIDs)
    try file.add("text starts", texts.starts)
    try file.add("bytes of text", texts.bytes, count: texts.bytes.count)
    return file.finish()
  }

  private static func section(of fields: FlatMenu) -> FlatWriter<FlatMenu> {
    var section = FlatWriter<FlatMenu>(capacity: 1)
    section.append(fields)
    return section
  }

  /// About how long the file will be.
  private var length: Int {
    2_048 + translations.bytes.count + (products.count + combos.count) * FlatIndexEntry.size
      + combos.bytes.count + slots.bytes.count + options.bytes.count + products.bytes.count
      + variants.bytes.count + nutrition.bytes.count + priceTiers.bytes.count + parts.bytes.count
      + texts.starts.bytes.count + texts.bytes.count
  }
}
