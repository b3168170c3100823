import BackendKit
import MenuModel

/// A record of a fixed width: its stored properties are its fields, in their order in a file.
///
/// Swift lays a struct out in the order of declaration, each field aligned by its own size, so records
/// are declared with wide fields first and with what fills a gap. They are loaded and stored as they
/// are: that asks for a little-endian machine with 64-bit words, which all that Swift runs apps on are
/// (the bytes of the example in FORMAT.md are tested).
protocol FlatRecord: BitwiseCopyable {}

#if !_endian(little) || !_pointerBitWidth(_64)
  #error("the flat backend's records are loaded as a 64-bit little-endian machine lays them out")
#endif

extension FlatRecord {
  /// Its bytes in a file.
  @inline(__always)
  static var size: Int { MemoryLayout<Self>.size }

  /// The record at a place of `size` bytes.
  @inline(__always)
  init(at place: UnsafeRawPointer) { self = place.loadUnaligned(as: Self.self) }

  /// Puts the record at a place of `size` bytes.
  @inline(__always)
  func store(at place: UnsafeMutableRawPointer) { place.storeBytes(of: self, as: Self.self) }
}

/// An id.
extension Int: FlatRecord {}

/// The number of a text, or where one begins.
extension UInt32: FlatRecord {}

/// A byte of the texts.
extension UInt8: FlatRecord {}

/// Records that stand together: an empty run begins at 0.
struct FlatRange: Equatable {
  var start: UInt32 = 0
  var count: UInt32 = 0
}

/// Flags of a record: which numbers are there, and truth values. An absent number stands as 0.
struct FlatFlags {
  private var bits: UInt32

  /// Flags from the lowest bit up.
  @inline(__always)
  init(_ first: Bool, _ second: Bool = false, _ third: Bool = false) {
    bits = (first ? 1 : 0) | (second ? 2 : 0) | (third ? 4 : 0)
  }

  /// Whether a bit is set.
  @inline(__always)
  subscript(bit: UInt32) -> Bool { bits >> bit & 1 == 1 }
}

/// The menu's own fields; 40 bytes.
struct FlatMenu: FlatRecord {
  var id: Int
  var revision: Int
  var locale: UInt32
  var currency: UInt32
  var city: UInt32
  /// How many of the product records are the menu's; the rest are copies that differ.
  var products: UInt32 = 0
  /// How many of the variant records are those products'.
  var variants: UInt32 = 0
  var unused: UInt32 = 0
}

/// A category; 24 bytes.
struct FlatCategory: FlatRecord {
  var id: Int
  var parentIDOrZero: Int
  var name: UInt32
  var flags: FlatFlags

  @inline(__always)
  var parentID: Int? { flags[0] ? parentIDOrZero : nil }
}

/// An ingredient; 16 bytes.
struct FlatIngredient: FlatRecord {
  var id: Int
  var code: UInt32
  var name: UInt32
}

/// A modifier group; 48 bytes.
struct FlatModifierGroup: FlatRecord {
  var id: Int
  var min: Int
  var max: Int
  var free: Int
  var name: UInt32
  var flags: FlatFlags
  var options: FlatRange

  @inline(__always)
  var isRequired: Bool { flags[0] }
}

/// A choice of a modifier group; 24 bytes.
struct FlatModifier: FlatRecord {
  var ingredientID: Int
  var prices: FlatRange
  /// The groups that it leads to.
  var groups: FlatRange
}

/// A price with the size that it is for; 12 bytes.
struct FlatPrice: FlatRecord {
  var price: Int
  var text: UInt32
}

/// A price tier; 16 bytes.
struct FlatTier: FlatRecord {
  var price: Int
  var name: UInt32
  /// The number of an order type, or none.
  var orderType: UInt32
}

/// Serving hours; 24 bytes.
struct FlatHours: FlatRecord {
  var days: Int
  var from: Int
  var until: Int
}

/// A store's override; 40 bytes.
struct FlatOverride: FlatRecord {
  var storeID: Int
  var entityID: Int
  var priceOrZero: Int
  var entity: UInt32
  /// The number of an availability, or none.
  var availability: UInt32
  var flags: FlatFlags
  var unused: UInt32 = 0

  @inline(__always)
  var price: Int? { flags[0] ? priceOrZero : nil }
}

/// An entry of the stop list; 16 bytes.
struct FlatStop: FlatRecord {
  var entityID: Int
  var entity: UInt32
  var until: UInt32
}

/// A translation; 24 bytes.
struct FlatTranslation: FlatRecord {
  var entityID: Int
  var entity: UInt32
  var locale: UInt32
  var name: UInt32
  var details: UInt32
}

/// Where the record of an id stands; 12 bytes.
struct FlatIndexEntry: FlatRecord {
  var id: Int
  var record: UInt32
}

/// A combo; 56 bytes.
struct FlatCombo: FlatRecord {
  var id: Int
  var priceOrZero: Int
  var oldPriceOrZero: Int
  var code: UInt32
  var name: UInt32
  var details: UInt32
  var image: UInt32
  var slots: FlatRange
  var flags: FlatFlags
  var unused: UInt32 = 0

  @inline(__always)
  var price: Int? { flags[0] ? priceOrZero : nil }
  @inline(__always)
  var oldPrice: Int? { flags[1] ? oldPriceOrZero : nil }
}

/// A slot; 56 bytes. Its options are the ones that it shows, its own or a shared list's.
struct FlatSlot: FlatRecord {
  var id: Int
  var min: Int
  var max: Int
  var optionListIDOrZero: Int
  var defaultProductIDOrZero: Int
  var name: UInt32
  var options: FlatRange
  var flags: FlatFlags

  @inline(__always)
  var optionListID: Int? { flags[0] ? optionListIDOrZero : nil }
  @inline(__always)
  var defaultProductID: Int? { flags[1] ? defaultProductIDOrZero : nil }
  @inline(__always)
  var ownsOptions: Bool { flags[2] }
}

/// A shared list of options; 16 bytes.
struct FlatOptionList: FlatRecord {
  var id: Int
  var options: FlatRange
}

/// An option of a slot; 36 bytes. It names its product by id and by the record of the menu's first
/// product of that id, so that nobody has to search.
struct FlatOption: FlatRecord {
  var productID: Int
  var variantIDOrZero: Int
  var surcharge: Int
  var product: UInt32
  var embedded: UInt32
  var flags: FlatFlags

  @inline(__always)
  var variantID: Int? { flags[0] ? variantIDOrZero : nil }
}

/// A product; 88 bytes.
struct FlatProduct: FlatRecord {
  var id: Int
  var categoryID: Int
  var name: UInt32
  var details: UInt32
  var code: UInt32
  var kind: UInt8
  var availability: UInt8
  var unused: UInt16 = 0
  var tags: FlatRange
  var variants: FlatRange
  var ingredients: FlatRange
  var modifierGroups: FlatRange
  var otherCategories: FlatRange
  var hours: FlatRange
  var allergens: FlatRange
}

/// An ingredient of a product; 12 bytes.
struct FlatPart: FlatRecord {
  var ingredientID: Int
  var flags: FlatFlags

  @inline(__always)
  var isRemovable: Bool { flags[0] }
}

/// A variant; 56 bytes.
struct FlatVariant: FlatRecord {
  var id: Int
  var price: Int
  var weightOrZero: Int
  var code: UInt32
  var size: UInt32
  var dough: UInt32
  var image: UInt32
  var priceTiers: FlatRange
  var nutrition: UInt32
  var flags: FlatFlags

  @inline(__always)
  var weight: Int? { flags[0] ? weightOrZero : nil }
}

/// The eight numbers of a variant's nutrition; 64 bytes.
struct FlatNutrition: FlatRecord {
  var per100g: FlatFacts
  var whole: FlatFacts
}

/// Four numbers of nutrition; 32 bytes.
struct FlatFacts {
  var energy: Double
  var proteins: Double
  var fats: Double
  var carbohydrates: Double
}

/// The numbers that stand for a case in a file: they never change, whatever the declaration's order.
protocol FlatCoded {
  /// The case of a number; nil where a file of this version has no such number.
  init?(code: UInt8)
  /// The number of a case.
  var code: UInt8 { get }
}

extension Product.Kind: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .pizza
    case 1: self = .snack
    case 2: self = .drink
    case 3: self = .dessert
    case 4: self = .sauce
    case 5: self = .other
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .pizza: 0
    case .snack: 1
    case .drink: 2
    case .dessert: 3
    case .sauce: 4
    case .other: 5
    }
  }
}

extension Product.Availability: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .available
    case 1: self = .comboOnly
    case 2: self = .hidden
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .available: 0
    case .comboOnly: 1
    case .hidden: 2
    }
  }
}

extension OrderType: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .delivery
    case 1: self = .pickup
    case 2: self = .dineIn
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .delivery: 0
    case .pickup: 1
    case .dineIn: 2
    }
  }
}

extension Allergen: FlatCoded {
  /// By their numbers, from 0: the order of Annex II, which never changes in a file.
  private static let inOrder: [Allergen] = [
    .gluten, .crustaceans, .eggs, .fish, .peanuts, .soybeans, .milk, .nuts, .celery, .mustard,
    .sesame, .sulphites, .lupin, .molluscs,
  ]

  init?(code: UInt8) {
    guard Int(code) < Self.inOrder.count else { return nil }
    self = Self.inOrder[Int(code)]
  }

  var code: UInt8 { UInt8(Self.inOrder.firstIndex(of: self) ?? 0) }
}

extension Entity: FlatCoded {
  @inline(__always)
  init?(code: UInt8) {
    switch code {
    case 0: self = .category
    case 1: self = .product
    case 2: self = .variant
    case 3: self = .ingredient
    case 4: self = .modifierGroup
    case 5: self = .combo
    case 6: self = .slot
    default: return nil
    }
  }

  @inline(__always)
  var code: UInt8 {
    switch self {
    case .category: 0
    case .product: 1
    case .variant: 2
    case .ingredient: 3
    case .modifierGroup: 4
    case .combo: 5
    case .slot: 6
    }
  }
}
