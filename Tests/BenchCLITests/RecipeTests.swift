import Foundation
import MenuModel
import MenuSources
import Subprocess
import Testing

@Suite("jq recipes turn menus of other systems into ours")
struct RecipeTests {
  private static let folder = Page.root + "/Datasets/recipes"
  private static let debug = #"["DEBUG:","note: "#

  /// Real jq on a recipe and its sample, which a filter of jq may change first, and `bench import`.
  private func pipe(
    _ name: String, changed filter: String = ".", options: String = "", in folder: String
  ) async throws -> Executable.Outcome {
    try await Executable.shell(
      "set -o pipefail; jq '\(filter)' \(Self.folder)/\(name).json "
        + "| jq \(options) -f \(Self.folder)/\(name).jq "
        + "| \(Executable.bench.path) import - --out menu.json", in: folder)
  }

  /// The menu that comes of a recipe, and the recipe's notes.
  private func cook(
    _ name: String, changed filter: String = ".", options: String = ""
  ) async throws -> (menu: Menu, notes: [String]) {
    try await inFolder { folder in
      let outcome = try await pipe(name, changed: filter, options: options, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(!outcome.errors.contains("no place in the menu model"), "\(outcome.errors)")
      let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/menu.json"))
      let notes = outcome.errors.split(separator: "\n").filter { $0.hasPrefix(Self.debug) }
        .map { String($0.dropFirst(Self.debug.count).dropLast(2)) }
      return (try MenuFile.decode(file).menu, notes)
    }
  }

  @Test("Every recipe has a sample, and every sample has a recipe and a test here")
  func pairs() throws {
    let tried: Set = ["cafe", "deliverect", "dominos", "square", "toast", "ubereats"]
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    for ending in [".jq", ".json"] {
      let names = files.filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }
      #expect(Set(names) == tried)
    }
    #expect(files.count == 2 * tried.count)
  }

  @Test("The recipe on the page is the published one")
  func page() {
    let shown = Page("Documentation/recipes.md").blocks("jq")
    #expect(shown.map { $0 + "\n" } == [Page("Datasets/recipes/cafe.jq").text])
  }

  @Test("The café: sections become categories, and prices become cents")
  func cafe() async throws {
    let (menu, notes) = try await cook("cafe")
    #expect((menu.locale, menu.currency, menu.city) == ("pt-PT", "EUR", "Lisboa"))
    #expect(menu.categories.map(\.name) == ["Pizzas", "Bebidas"])
    #expect(menu.products.map(\.code) == ["margherita", "ham", "water"])
    #expect(menu.products.map(\.kind) == [.pizza, .pizza, .drink])
    #expect(menu.products.map(\.categoryID) == [1, 1, 2])
    #expect(menu.products.map { $0.variants.map(\.price) } == [[750, 990], [1_125], [100]])
    #expect(notes.isEmpty)
  }
}

extension RecipeTests {
  @Test("Domino's: the tree of food becomes categories, with families of toppings and sides")
  func dominos() async throws {
    let (menu, notes) = try await cook("dominos")
    #expect((menu.id, menu.locale, menu.currency, menu.city) == (1_234, "en", "USD", ""))
    #expect(
      menu.categories.map(\.name) == [
        "Food", "Pizza", "Build Your Own", "Artisan", "Wings", "Popular", "Uncategorized",
      ])
    #expect(menu.categories.map(\.id) == Array(1...7))
    #expect(menu.categories.map(\.parentID) == [nil, 1, 2, 2, 1, 1, nil])
    #expect(menu.ingredients.map(\.code) == ["C", "M", "O", "X", "RANCH"])
    #expect(
      menu.modifierGroups == [
        ModifierGroup(
          id: 1, name: "Pizza toppings", min: 0, max: 4,
          options: [4, 1, 2, 3].map { ModifierOption(ingredientID: $0) }),
        ModifierGroup(
          id: 2, name: "Wings sides", min: 0, max: 1, options: [ModifierOption(ingredientID: 5)]),
      ])
    #expect(menu.products.map(\.code) == ["S_OWN", "S_GARDEN", "S_WINGS", "S_COLA", "S_BAG"])
    #expect(menu.products.map(\.id) == Array(1...5))
    #expect(menu.products.map(\.categoryID) == [3, 4, 5, 6, 7])
    #expect(menu.products.map(\.otherCategoryIDs) == [[], [6], [], [], []])
    #expect(menu.products.map(\.kind) == [.pizza, .pizza, .snack, .drink, .other])
    #expect(menu.products.map(\.modifierGroupIDs) == [[1], [1], [2], [], []])
    #expect(
      menu.products[1].ingredients == [
        ProductIngredient(ingredientID: 4, isRemovable: true),
        ProductIngredient(ingredientID: 1, isRemovable: false),
        ProductIngredient(ingredientID: 3, isRemovable: true),
      ])
    #expect(
      notes == [
        "product S_RETIRED, which a category lists, is not in the file",
        "product S_BAG stands in no category and goes to Uncategorized",
        "variant 10OWN, which product S_GARDEN lists, stays with the first product that does",
        "variant 12GONE, which product S_GARDEN lists, is not in the file",
        "variant 16WINGS has no price and is left out",
        "product S_SOON has no variant to order and is left out",
        "DIP_NONE, a choice of Wings, is not in the file",
        "STUFFED of Pizza is not in Flavors",
        "2L of Drinks is not in Sizes",
        "preconfigured product OWN_THIN has no slot: 12GONE is not sold",
      ])
  }

  @Test("Domino's: text prices are exact, tiers are sorted, and coupons become combos")
  func dominosPrices() async throws {
    let menu = try await cook("dominos").menu
    #expect(
      menu.products.map(\.variants) == [
        [
          Variant(
            id: 1, code: "10OWN", size: "Small (10\")", dough: "Thin", price: 899,
            priceTiers: [
              PriceTier(name: "Price1-0", price: 899), PriceTier(name: "Price1-1", price: 1_049),
            ], image: "own.jpg"),
          Variant(
            id: 2, code: "14OWN", size: "Large (14\")", dough: "Hand Tossed", price: 1_350,
            priceTiers: [PriceTier(name: "Price1-0", price: 1_350)], image: ""),
        ],
        [
          Variant(
            id: 3, code: "14GARDEN", size: "Large (14\")", dough: "STUFFED", price: 1_699,
            image: "")
        ],
        [Variant(id: 4, code: "8WINGS", size: "8 Hot Wings", price: 799, image: "")],
        [Variant(id: 5, code: "2LCOLA", size: "2L", price: 300, image: "")],
        [Variant(id: 6, code: "BAG", size: "Bag", price: 5, image: "")],
      ])
    let slot = Slot(
      id: 1, name: "Own Pizza", min: 1, max: 1, options: [SlotOption(productID: 1, variantID: 2)],
      defaultProductID: 1)
    #expect(
      menu.combos == [
        Combo(
          id: 1, code: "1999", name: "Half price on Mondays", details: "", price: nil,
          image: "half", slots: []),
        Combo(
          id: 2, code: "2001", name: "Two large pizzas", details: "", price: 2_499, image: "",
          slots: []),
        Combo(
          id: 3, code: "OWN_PLAIN", name: "Plain pizza", details: "Sauce and cheese.", price: nil,
          image: "", slots: [slot]),
        Combo(
          id: 4, code: "OWN_THIN", name: "Thin pizza", details: "", price: nil, image: "",
          slots: []),
      ])
  }

  @Test(
    "Domino's: a text that is not a price ends the recipe",
    arguments: ["-1", "1.999", "1,5", "1.", ".5", "1e3", " 1", "+1", "١", "1.2.3", "free"])
  func dominosNoPrice(price: String) async throws {
    try await inFolder { folder in
      let filter = ".Variants[\"10OWN\"].Pricing[\"Price1-1\"] = \"\(price)\""
      let outcome = try await pipe("dominos", changed: filter, in: folder)
      #expect(outcome.status != .exited(0))
      #expect(
        outcome.errors.contains("Price1-1 of a variant: \"\(price)\" is no price like 6.99\n"),
        "\(outcome.errors)")
    }
  }

  /// The menu of a real store, which is not in the project.
  private static let store =
    (ProcessInfo.processInfo.environment["MENUBENCH_SHARED_DATASETS"]
      ?? Page.root + "/../shared/datasets") + "/dominos-menu.json"

  @Test(
    "Domino's: a real store has everything that can be ordered",
    .enabled(
      if: FileManager.default.fileExists(atPath: Self.store),
      "dominos-menu.json is not there; name its folder in MENUBENCH_SHARED_DATASETS"))
  func dominosStore() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        "set -o pipefail; jq -f \(Self.folder)/dominos.jq '\(Self.store)' "
          + "| \(Executable.bench.path) import - --out menu.json", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(!outcome.errors.contains("note:"), "\(outcome.errors)")
      let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/menu.json"))
      let menu = try MenuFile.decode(file).menu
      #expect((menu.id, menu.locale, menu.products.count) == (4_336, "en", 68))
      #expect(menu.products.flatMap(\.variants).count == 209)
      #expect(menu.combos.count == 17 + 30 && menu.ingredients.count == 90 + 14)
      #expect(menu.modifierGroups.count == 25 && menu.categories.count == 17)
      // As the importer in Swift read it, which this recipe replaced.
      #expect(menu.fingerprint.description == "8941f997224c836e")
    }
  }
}

extension RecipeTests {
  @Test("Square: one list has objects of several types, with ids outside of their data")
  func square() async throws {
    let (menu, notes) = try await cook("square")
    #expect(menu.currency == "USD")
    #expect(menu.categories.map(\.name) == ["Coffee", "Drinks", "Popular", "Uncategorized"])
    #expect(menu.categories.map(\.parentID) == [2, nil, nil, nil])
    #expect(menu.products.map(\.code) == ["ITEM-LATTE", "ITEM-TEA", "ITEM-BEANS"])
    #expect(menu.products.map(\.categoryID) == [1, 2, 4])
    #expect(menu.products.map(\.otherCategoryIDs) == [[3], [], []])
    #expect(menu.products.map(\.availability) == [.available, .available, .hidden])
    #expect(menu.products.map { $0.variants.map(\.price) } == [[350, 425], [300], [1_200]])
    #expect(menu.products[0].variants.map(\.size) == ["Small", "Large"])
    #expect(menu.products[0].variants[0].image == "https://example.com/latte.png")
    #expect(menu.ingredients.map(\.code) == ["MOD-OAT", "MOD-WHOLE", "MOD-SHOT", "MOD-CUP"])
    let milk = [
      ModifierOption(ingredientID: 1, prices: [SizePrice(size: "", price: 60)]),
      ModifierOption(ingredientID: 2),
    ]
    #expect(
      menu.modifierGroups == [
        ModifierGroup(id: 1, name: "Milk", min: 1, max: 1, isRequired: true, options: milk),
        ModifierGroup(
          id: 2, name: "Extras", min: 0, max: 3,
          options: [
            ModifierOption(ingredientID: 3, prices: [SizePrice(size: "", price: 90)]),
            ModifierOption(ingredientID: 4, prices: [SizePrice(size: "", price: -30)]),
          ]),
        ModifierGroup(id: 3, name: "Milk", min: 0, max: 2, options: milk),
      ])
    #expect(menu.products.map(\.modifierGroupIDs) == [[1, 2], [3], []])
    #expect(
      notes == [
        "variation Tasting of item Tea is priced at the till and is left out",
        "modifier list MODS-LOST, which item Latte names, is not in the catalog",
        "category CAT-GONE, which item Beans names, is not in the catalog",
      ])
  }

  @Test("Uber Eats: categories list items, options are items, and a maximum of 0 means no limit")
  func uberEats() async throws {
    let (menu, notes) = try await cook("ubereats", options: "--arg currency CAD")
    #expect((menu.locale, menu.currency) == ("en-US", "CAD"))
    #expect(menu.categories.map(\.name) == ["Eggs", "Drinks", "Burgers"])
    #expect(menu.products.map(\.code) == ["omelette", "plain", "coffee", "double"])
    #expect(menu.products.map(\.categoryID) == [1, 1, 2, 3])
    #expect(menu.products.map(\.otherCategoryIDs) == [[], [3], [], []])
    #expect(menu.products.map { $0.variants.map(\.price) } == [[650], [799], [300], [1_099]])
    #expect(menu.products.map(\.modifierGroupIDs) == [[], [1, 2], [], [1]])
    #expect(menu.products[0].tags == ["vegetarian", "gluten_free"])
    let weekend = ServingHours(days: 32 + 64, from: 480, until: 690)
    let weekdays = [
      ServingHours(days: 16, from: 660, until: 900),
      ServingHours(days: 1, from: 660, until: 1_320),
      ServingHours(days: 16, from: 1_080, until: 1_440),
    ]
    let both = [weekend] + weekdays
    #expect(menu.products.map(\.hours) == [[weekend], both, both, weekdays])
    func option(_ id: Int, _ price: Int, _ groups: [Int] = []) -> ModifierOption {
      ModifierOption(
        ingredientID: id, prices: [SizePrice(size: "", price: price)], modifierGroupIDs: groups)
    }
    #expect(
      menu.modifierGroups == [
        ModifierGroup(
          id: 1, name: "Extras", min: 0, max: 2, free: 1,
          options: [option(1, 100), option(2, 150)]),
        ModifierGroup(
          id: 2, name: "Side", min: 1, max: 1, isRequired: true,
          options: [option(3, 200, [3]), option(4, 300)]),
        ModifierGroup(id: 3, name: "Dip", min: 0, max: 2, options: [option(5, 0)]),
      ])
    #expect(
      menu.stopList == [
        StopListEntry(entity: .product, entityID: 1, until: "2026-03-08T10:00:00Z")
      ])
    #expect(menu.translations.count == 7)
    #expect(
      menu.translations[2]
        == Translation(
          locale: "fr-CA", entity: .product, entityID: 2, name: "Hambourgeois simple",
          details: "Bœuf et pain."))
    #expect(
      notes == [
        "category desserts, which a menu lists, is not in the file",
        "item retired, which category burgers lists, is not in the file",
        "item ketchup, an option of modifier group dips, is not in the file",
        "item straw is in no category and in no modifier group, and is left out",
        "item double costs something else in one menu or item, which has no place",
        "modifier group sauces, which item double names, is not in the file",
      ])
  }

  @Test("Deliverect: allergens are tags, and bundles, nested modifiers and PLUs are converted")
  func deliverect() async throws {
    let (menu, notes) = try await cook("deliverect")
    #expect((menu.locale, menu.currency) == ("und", "EUR"))
    #expect(menu.categories.map(\.name) == ["Satay", "Drinks", "Favourites", "Only in combos"])
    #expect(menu.products.map(\.code) == ["SAT-1", "SAT-2", "DRK-1", "DRK-2", "DES-1"])
    #expect(menu.products.map(\.categoryID) == [1, 1, 2, 2, 4])
    #expect(menu.products.map { $0.variants.map(\.price) } == [[850], [790], [250], [390], [150]])
    #expect(
      menu.products.map(\.allergens) == [
        [.eggs, .peanuts, .gluten], [.peanuts], [], [.gluten], [.milk, .eggs],
      ])
    #expect(menu.products.map(\.tags) == [["tag 46"], ["vegan"], [], ["alcohol"], []])
    #expect(
      menu.products.map(\.availability) == [
        .available, .available, .available, .hidden, .comboOnly,
      ])
    #expect(menu.modifierGroups.map(\.max) == [2, 1, 1])
    #expect(menu.modifierGroups[0].options.map(\.modifierGroupIDs) == [[3], []])
    #expect(menu.modifierGroups[1].options.map { $0.prices.map(\.price) } == [[0], [-150]])
    #expect(
      menu.optionLists == [
        OptionList(id: 1, options: [SlotOption(productID: 1), SlotOption(productID: 2)]),
        OptionList(
          id: 2, options: [SlotOption(productID: 3), SlotOption(productID: 5, surcharge: 150)]),
      ])
    #expect(
      menu.combos == [
        Combo(
          id: 1, code: "MENU-1", name: "Satay menu", details: "", price: 1_150, image: "",
          slots: [
            Slot(id: 1, name: "Your satay", min: 1, max: 1, optionListID: 1),
            Slot(id: 2, name: "Drink or dessert", min: 1, max: 1, optionListID: 2),
          ])
      ])
    #expect(
      menu.stopList == [
        StopListEntry(entity: .product, entityID: 2, until: "2026-03-08T15:48:42.367000Z")
      ])
    #expect(menu.translations.map(\.name) == ["Saté", "Kipsaté"])
    #expect(
      notes == [
        "product p9, which category Satay lists, is not in the menu",
        "m9, an option of modifier group Dip, is not in the menu",
        "product Napkin is in no category, bundle or modifier group, and is left out",
        "modifier group g9, which product Tofu satay names, is not in the menu",
      ])
  }

  @Test("Toast: groups nest to any depth, prices depend on size, and an own cup costs less than 0")
  func toast() async throws {
    let (menu, notes) = try await cook("toast", options: "--arg locale en-US")
    #expect((menu.locale, menu.currency) == ("en-US", "USD"))
    #expect(
      menu.categories.map(\.name) == [
        "All day", "Pizza", "Vegan", "Without nuts", "Drinks", "Lunch", "Lunch deals",
      ])
    #expect(menu.categories.map(\.parentID) == [nil, 1, 2, 3, 1, nil, 6])
    #expect(menu.products.map(\.code) == ["item-1", "item-2", "item-3", "item-4", "item-6"])
    #expect(menu.products.map(\.categoryID) == [2, 4, 5, 5, 7])
    #expect(menu.products.map(\.otherCategoryIDs) == [[], [], [7], [], []])
    let prices = menu.products.map { $0.variants.map(\.price) }
    #expect(prices == [[800, 1_095], [1_150], [329], [700], [600]])
    #expect(menu.products[0].variants.map(\.size) == ["Small", "Large"])
    #expect(
      menu.products[3].variants[0].priceTiers == [
        PriceTier(name: "MONDAY FRIDAY 16:00-18:00", price: 550)
      ])
    #expect(
      menu.products[4].hours == [
        ServingHours(days: 3, from: 660, until: 870),
        ServingHours(days: 32, from: 660, until: 1_440),
      ])
    #expect(menu.products.map(\.modifierGroupIDs) == [[1], [1], [2], [], []])
    #expect(menu.ingredients.map(\.name) == ["Olives", "Burrata", "Own cup", "Glass", "No ice"])
    #expect(menu.modifierGroups.map(\.max) == [2, 1, 1])
    #expect(
      menu.modifierGroups[0].options == [
        ModifierOption(
          ingredientID: 1,
          prices: [SizePrice(size: "Small", price: 100), SizePrice(size: "Large", price: 175)]),
        ModifierOption(ingredientID: 2, prices: [SizePrice(size: "", price: 400)]),
      ])
    #expect(menu.modifierGroups[1].options.map { $0.prices.map(\.price) } == [[-30], [0]])
    #expect(menu.modifierGroups[1].options.map(\.modifierGroupIDs) == [[], [3]])
    #expect(
      notes == [
        "item Corkage is priced at the till and is left out",
        "item Lemonade costs something else in another menu; the first counts",
        "option 19, which modifier group Toppings lists, is not in the file",
        "modifier group 9, which item Cheese pizza names, is not in the file",
      ])
  }

  @Test(
    "A missing name or price ends the recipe, and no menu is written",
    arguments: [
      ("cafe", "del(.sections[0].items[1].sizes[0].price)", "ham has no price"),
      ("dominos", "del(.Products.S_COLA.Name)", "product S_COLA has no Name"),
      ("dominos", "del(.Variants)", "it lacks Categorization, Products or Variants"),
      ("square", "del(.objects[6].item_data.name)", "item ITEM-LATTE has no name"),
      (
        "square", "del(.objects[6].item_data.variations[1].item_variation_data.price_money)",
        "variation Large of item Latte has no price_money"
      ),
      ("ubereats", "del(.items[0].price_info)", "item plain has no price"),
      ("ubereats", "del(.items[5].title)", "item bacon has no title"),
      (
        "ubereats", ".menus[0].service_availability[0].day_of_week = \"sun\"",
        "\"sun\" is no day of the week"
      ),
      ("deliverect", "del(.[0].products.p1.price)", "product Chicken satay has no price"),
      ("deliverect", "del(.[0].modifiers.m1.price)", "modifier Peanut has no price"),
      ("deliverect", ". + [.[0]]", "2 menus: name one of them by --arg menu NAME"),
      (
        "toast", ".menus[0].menuGroups[0].menuGroups[0].menuGroups[0].menuItems[0].price = null",
        "item Green pizza has no price"
      ),
      (
        "toast", ".modifierOptionReferences[\"16\"].price = null",
        "option Glass of Cup has no price"
      ),
    ])
  func refused(name: String, filter: String, message: String) async throws {
    try await inFolder { folder in
      let outcome = try await pipe(name, changed: filter, in: folder)
      #expect(outcome.status != .exited(0))
      #expect(outcome.errors.contains(message + "\n"), "\(outcome.errors)")
      #expect(outcome.errors.contains("error: standard input: it is empty\n"))
      #expect(!FileManager.default.fileExists(atPath: folder + "/menu.json"))
    }
  }
}
