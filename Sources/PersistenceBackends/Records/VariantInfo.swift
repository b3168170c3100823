import GRDB
import MenuModel

/// A variant with its price tiers and nutrition.
struct VariantInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var variant: VariantRecord
  var priceTiers: [PriceTierRecord]
  var nutrition: NutritionRecord?
}

extension VariantInfo {
  init(_ variant: Variant, of product: Int, at position: Int) {
    self.variant = VariantRecord(variant, of: product, at: position)
    priceTiers = variant.priceTiers.enumerated().map {
      PriceTierRecord(
        variantId: variant.id, position: $0.offset, name: $0.element.name.stored,
        price: $0.element.price)
    }
    nutrition = variant.nutrition.map { NutritionRecord($0, of: variant.id) }
  }

  /// The variant.
  func whole() throws -> Variant {
    Variant(
      id: variant.id, code: try variant.code?.restored(), size: try variant.size.restored(),
      dough: try variant.dough?.restored(), weight: variant.weight, price: variant.price,
      priceTiers: try priceTiers.map { PriceTier(name: try $0.name.restored(), price: $0.price) },
      image: try variant.image.restored(), nutrition: nutrition?.nutrition)
  }

  /// Gives the variant, then its price tiers and nutrition.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(variant)
    for tier in priceTiers { try sink.take(tier) }
    if let nutrition { try sink.take(nutrition) }
  }
}
