/// Something that can be ordered, in one or more variants.
public struct Product: Codable, Hashable, Sendable {
  /// Unique among the menu's products.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The ``Category`` it stands in first.
  public var categoryID: Int
  /// Further ``Category`` ids that show it, too; none of them twice, nor ``categoryID``.
  public var otherCategoryIDs: [Int]
  /// What kind of thing it is.
  public var kind: Kind
  /// The name shown.
  public var name: String
  /// The text under the name.
  public var details: String
  /// Labels for filters: `spicy`, `new`.
  public var tags: [String]
  /// Whether it can be ordered at all; what is out of stock today is in the stop list.
  public var availability: Availability
  /// When of the day it can be ordered; empty for always.
  public var hours: [ServingHours]
  /// What of it some people must not eat.
  public var allergens: [Allergen]
  /// Sizes and doughs, each with its price; never empty.
  public var variants: [Variant]
  /// What it is made of.
  public var ingredients: [ProductIngredient]
  /// The ``ModifierGroup`` ids that apply to it, in the order to show them in.
  public var modifierGroupIDs: [Int]

  /// Makes a product.
  public init(
    id: Int, code: String? = nil, categoryID: Int, otherCategoryIDs: [Int] = [], kind: Kind,
    name: String, details: String, tags: [String] = [], availability: Availability = .available,
    hours: [ServingHours] = [], allergens: [Allergen] = [], variants: [Variant],
    ingredients: [ProductIngredient] = [], modifierGroupIDs: [Int] = []
  ) {
    self.id = id
    self.code = code
    self.categoryID = categoryID
    self.otherCategoryIDs = otherCategoryIDs
    self.kind = kind
    self.name = name
    self.details = details
    self.tags = tags
    self.availability = availability
    self.hours = hours
    self.allergens = allergens
    self.variants = variants
    self.ingredients = ingredients
    self.modifierGroupIDs = modifierGroupIDs
  }

  /// What kind of thing a product is.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// A pizza.
    case pizza
    /// Hot or cold food beside the pizza.
    case snack
    /// Anything to drink.
    case drink
    /// Something sweet.
    case dessert
    /// A sauce sold by itself.
    case sauce
    /// Anything else.
    case other
  }

  /// Whether a product can be ordered.
  public enum Availability: String, Codable, Sendable, CaseIterable {
    /// On sale.
    case available
    /// Sold only inside combos.
    case comboOnly
    /// Kept in the menu, not shown.
    case hidden
  }
}

extension Product {
  /// Every category that shows it, the first one first.
  public var categoryIDs: [Int] { [categoryID] + otherCategoryIDs }

  /// Whether a category shows it.
  public func stands(in category: Int) -> Bool {
    categoryID == category || otherCategoryIDs.contains(category)
  }
}

/// Hours of some days of the week at which a product can be ordered: breakfast on workdays.
public struct ServingHours: Codable, Hashable, Sendable {
  /// The days, a bit each: 1 Monday, 2 Tuesday, 4 Wednesday and so on to 64 Sunday; 127 is every day.
  public var days: Int
  /// The first minute of the day, from midnight: 420 is 7:00.
  public var from: Int
  /// The minute at which it ends, up to 1,440; not above ``from`` where that is on the next day.
  public var until: Int

  /// Makes hours.
  public init(days: Int = 127, from: Int, until: Int) {
    self.days = days
    self.from = from
    self.until = until
  }
}

/// What must be named where it is in food: Annex II of Regulation (EU) 1169/2011.
public enum Allergen: String, Codable, Sendable, CaseIterable {
  /// Wheat, rye, barley, oats.
  case gluten
  /// Shrimps, crabs.
  case crustaceans
  /// Eggs.
  case eggs
  /// Fish.
  case fish
  /// Peanuts.
  case peanuts
  /// Soya beans.
  case soybeans
  /// Milk, lactose included.
  case milk
  /// Almonds, hazelnuts and their kin.
  case nuts
  /// Celery.
  case celery
  /// Mustard.
  case mustard
  /// Sesame seeds.
  case sesame
  /// Sulphur dioxide and sulphites.
  case sulphites
  /// Lupin.
  case lupin
  /// Mussels, squids.
  case molluscs
}

/// An ingredient of a product.
public struct ProductIngredient: Codable, Hashable, Sendable {
  /// The ``Ingredient``.
  public var ingredientID: Int
  /// Whether a customer may leave it out.
  public var isRemovable: Bool

  /// Makes a product's ingredient.
  public init(ingredientID: Int, isRemovable: Bool) {
    self.ingredientID = ingredientID
    self.isRemovable = isRemovable
  }
}

/// What products are made of.
public struct Ingredient: Codable, Hashable, Sendable {
  /// Unique among the menu's ingredients.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The name shown.
  public var name: String

  /// Makes an ingredient.
  public init(id: Int, code: String? = nil, name: String) {
    self.id = id
    self.code = code
    self.name = name
  }
}

/// One size and dough of a product, with its price.
public struct Variant: Codable, Hashable, Sendable {
  /// Unique among the variants of the whole menu.
  public var id: Int
  /// The code that the chain's other systems know it by.
  public var code: String?
  /// The size shown: `30 cm`, `0.5 l`.
  public var size: String
  /// The dough, where there is a choice.
  public var dough: String?
  /// Weight in grams, where known.
  public var weight: Int?
  /// Price in minor units.
  public var price: Int
  /// Further prices: by number of toppings, by type of order.
  public var priceTiers: [PriceTier]
  /// The picture's address or code.
  public var image: String
  /// Nutrition, where known.
  public var nutrition: Nutrition?

  /// Makes a variant.
  public init(
    id: Int, code: String? = nil, size: String, dough: String? = nil, weight: Int? = nil,
    price: Int, priceTiers: [PriceTier] = [], image: String, nutrition: Nutrition? = nil
  ) {
    self.id = id
    self.code = code
    self.size = size
    self.dough = dough
    self.weight = weight
    self.price = price
    self.priceTiers = priceTiers
    self.image = image
    self.nutrition = nutrition
  }
}

/// A named price beside a variant's usual one.
public struct PriceTier: Codable, Hashable, Sendable {
  /// When it applies: `Price1-3`.
  public var name: String
  /// Price in minor units.
  public var price: Int
  /// The only way of ordering that it holds for; nil where its name says when.
  public var orderType: OrderType?

  /// Makes a tier.
  public init(name: String, price: Int, orderType: OrderType? = nil) {
    self.name = name
    self.price = price
    self.orderType = orderType
  }
}

/// How an order comes to its customer.
public enum OrderType: String, Codable, Sendable, CaseIterable {
  /// Brought to the door.
  case delivery
  /// Taken away at the counter.
  case pickup
  /// Eaten in the restaurant.
  case dineIn
}

/// Nutrition of a variant.
public struct Nutrition: Codable, Hashable, Sendable {
  /// In 100 g.
  public var per100g: NutritionFacts
  /// In the whole variant.
  public var whole: NutritionFacts

  /// Makes a pair of facts.
  public init(per100g: NutritionFacts, whole: NutritionFacts) {
    self.per100g = per100g
    self.whole = whole
  }
}

/// Energy in kilocalories and the rest in grams.
public struct NutritionFacts: Codable, Hashable, Sendable {
  /// Kilocalories.
  public var energy: Double
  /// Grams of protein.
  public var proteins: Double
  /// Grams of fat.
  public var fats: Double
  /// Grams of carbohydrates.
  public var carbohydrates: Double

  /// Makes facts.
  public init(energy: Double, proteins: Double, fats: Double, carbohydrates: Double) {
    self.energy = energy
    self.proteins = proteins
    self.fats = fats
    self.carbohydrates = carbohydrates
  }
}

/// A set of things that may be added to a product, and how many of them.
public struct ModifierGroup: Codable, Hashable, Sendable {
  /// Unique among the menu's modifier groups.
  public var id: Int
  /// The name shown.
  public var name: String
  /// The fewest that must be chosen.
  public var min: Int
  /// The most that may be chosen.
  public var max: Int
  /// How many of the chosen cost nothing.
  public var free: Int
  /// Whether the customer must choose before ordering.
  public var isRequired: Bool
  /// What there is to choose.
  public var options: [ModifierOption]

  /// Makes a group.
  public init(
    id: Int, name: String, min: Int, max: Int, free: Int = 0, isRequired: Bool = false,
    options: [ModifierOption]
  ) {
    self.id = id
    self.name = name
    self.min = min
    self.max = max
    self.free = free
    self.isRequired = isRequired
    self.options = options
  }
}

/// One choice of a modifier group.
public struct ModifierOption: Codable, Hashable, Sendable {
  /// The ``Ingredient`` that it adds.
  public var ingredientID: Int
  /// Its price for each size of the product; empty where the file gave none.
  public var prices: [SizePrice]
  /// The ``ModifierGroup`` ids offered once it is chosen: sauces for a side. They make no circle.
  public var modifierGroupIDs: [Int]

  /// Makes an option.
  public init(ingredientID: Int, prices: [SizePrice] = [], modifierGroupIDs: [Int] = []) {
    self.ingredientID = ingredientID
    self.prices = prices
    self.modifierGroupIDs = modifierGroupIDs
  }
}

/// A price that holds for one size.
public struct SizePrice: Codable, Hashable, Sendable {
  /// The ``Variant/size``; empty where the price holds for every size.
  public var size: String
  /// Price in minor units; below zero where the option makes the product cheaper.
  public var price: Int

  /// Makes a price.
  public init(size: String, price: Int) {
    self.size = size
    self.price = price
  }
}

/// Something that is out of stock.
public struct StopListEntry: Codable, Hashable, Sendable {
  /// What kind of thing.
  public var entity: Entity
  /// Its id among things of that kind: a product, a variant or an ingredient.
  public var entityID: Int
  /// When it is expected back, ISO 8601; nil where nobody knows.
  public var until: String?

  /// Makes an entry.
  public init(entity: Entity, entityID: Int, until: String? = nil) {
    self.entity = entity
    self.entityID = entityID
    self.until = until
  }
}

/// What one store has otherwise than the menu says.
public struct StoreOverride: Codable, Hashable, Sendable {
  /// The store.
  public var storeID: Int
  /// What kind of thing: a product, a variant or a combo.
  public var entity: Entity
  /// Its id among things of that kind.
  public var entityID: Int
  /// Its price there, in minor units, of a variant or a combo; nil where it is the menu's.
  public var price: Int?
  /// Whether a product can be ordered there; nil where the menu says it.
  public var availability: Product.Availability?

  /// Makes an override.
  public init(
    storeID: Int, entity: Entity, entityID: Int, price: Int? = nil,
    availability: Product.Availability? = nil
  ) {
    self.storeID = storeID
    self.entity = entity
    self.entityID = entityID
    self.price = price
    self.availability = availability
  }
}

/// The texts of one thing in a further language.
public struct Translation: Codable, Hashable, Sendable {
  /// The language, BCP 47: `en-US`.
  public var locale: String
  /// What kind of thing.
  public var entity: Entity
  /// Its id among things of that kind.
  public var entityID: Int
  /// Its name in that language.
  public var name: String
  /// The text under the name, where it has one.
  public var details: String?

  /// Makes a translation.
  public init(
    locale: String, entity: Entity, entityID: Int, name: String, details: String? = nil
  ) {
    self.locale = locale
    self.entity = entity
    self.entityID = entityID
    self.name = name
    self.details = details
  }
}

/// The kinds of things that have ids.
public enum Entity: String, Codable, Sendable, CaseIterable {
  /// A ``Category``.
  case category
  /// A ``Product``.
  case product
  /// A ``Variant``.
  case variant
  /// An ``Ingredient``.
  case ingredient
  /// A ``ModifierGroup``.
  case modifierGroup
  /// A ``Combo``.
  case combo
  /// A ``Slot``.
  case slot
}
