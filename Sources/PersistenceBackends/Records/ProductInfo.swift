import GRDB
import MenuModel

/// A product with everything that belongs to it, as one request fetches it.
struct ProductInfo: Decodable, FetchableRecord, Hashable, Sendable {
  var product: ProductRecord
  var tags: [ProductTagRecord]
  var ingredients: [ProductIngredientRecord]
  var modifierGroups: [ProductModifierGroupRecord]
  var variants: [VariantInfo]

  /// Products of a request, in the order of the menu.
  static func request(
    _ products: QueryInterfaceRequest<ProductRecord> = ProductRecord.all()
  ) -> QueryInterfaceRequest<ProductInfo> {
    products.ordered()
      .including(all: ProductRecord.tags)
      .including(all: ProductRecord.ingredients)
      .including(all: ProductRecord.modifierGroups)
      .including(
        all: ProductRecord.variants
          .including(all: VariantRecord.priceTiers)
          .including(optional: VariantRecord.nutrition)
      )
      .asRequest(of: ProductInfo.self)
  }
}

extension ProductInfo {
  init(_ product: Product, at position: Int) {
    self.product = ProductRecord(product, at: position)
    tags = product.tags.enumerated().map {
      ProductTagRecord(productId: product.id, position: $0.offset, tag: $0.element.stored)
    }
    ingredients = product.ingredients.enumerated().map {
      ProductIngredientRecord(
        productId: product.id, position: $0.offset, ingredientId: $0.element.ingredientID,
        isRemovable: $0.element.isRemovable)
    }
    modifierGroups = product.modifierGroupIDs.enumerated().map {
      ProductModifierGroupRecord(
        productId: product.id, position: $0.offset, modifierGroupId: $0.element)
    }
    variants = product.variants.enumerated().map {
      VariantInfo($0.element, of: product.id, at: $0.offset)
    }
  }

  /// The product.
  func whole() throws -> Product {
    Product(
      id: product.id, code: try product.code?.restored(), categoryID: product.categoryId,
      kind: product.kind, name: try product.name.restored(),
      details: try product.details.restored(), tags: try tags.map { try $0.tag.restored() },
      availability: product.availability, variants: try variants.map { try $0.whole() },
      ingredients: ingredients.map {
        ProductIngredient(ingredientID: $0.ingredientId, isRemovable: $0.isRemovable)
      },
      modifierGroupIDs: modifierGroups.map(\.modifierGroupId))
  }

  /// Gives the product, then what belongs to it.
  func put(into sink: inout some RecordSink) throws {
    try sink.take(product)
    for tag in tags { try sink.take(tag) }
    for ingredient in ingredients { try sink.take(ingredient) }
    for group in modifierGroups { try sink.take(group) }
    for variant in variants { try variant.put(into: &sink) }
  }
}
