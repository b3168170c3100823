import Foundation
import Testing

@testable import MenuModel

@Suite("A mapping in place of an importer")
struct MenuMappingTests {
  private static let datasets = SharedDatasets.package.appending(path: "Datasets").path

  private func mapped(_ mapping: String, _ menu: String) throws -> ImportedMenu {
    try MenuFile.decode(Data(menu.utf8), mappedBy: MenuMapping(Data(mapping.utf8)))
  }

  /// What a mapping of products alone, with further lines, makes of a file with these products.
  private func mapped(
    products: String, name: String = #""@.name""#, price: String = #""@.price""#, more: String = "",
    of items: String
  ) throws -> ImportedMenu {
    try mapped(
      """
      {"locale": {"value": "en"}, "currency": {"value": "EUR"}, \(more)
       "products": {"at": "\(products)",
       "name": \(name),
       "variants": {"at": "@", "price": \(price)}}}
      """, items)
  }

  private func problem(_ read: () throws -> Void) -> MenuFileProblem? {
    #expect(throws: MenuFileProblem.self) { try read() }
  }

  @Test("finds the whole of the example in the documentation, and says what has no place")
  func example() throws {
    let mapping = try MenuMapping.load(path: Self.datasets + "/cafe-mapping.json")
    let imported = try MenuFile.load(path: Self.datasets + "/cafe.json", mappedBy: mapping)
    let menu = imported.menu
    #expect(imported.format == "mapped")
    #expect((menu.locale, menu.currency, menu.city) == ("pt-PT", "EUR", "Lisboa"))
    #expect(menu.categories.map(\.name) == ["Pizzas", "Bebidas"])
    #expect(menu.ingredients.map(\.name) == ["tomato", "mozzarella", "ham"])
    #expect(menu.products.map(\.name) == ["Margarita", "Fiambre", "Água"])
    #expect(menu.products.map(\.kind) == [.pizza, .pizza, .drink])
    #expect(menu.products.map(\.details) == ["Tomate, mozzarella e manjericão", "", ""])
    #expect(menu.products.map(\.categoryID) == [1, 1, 2])
    #expect(menu.products.flatMap(\.variants).map(\.price) == [750, 990, 1_125, 100])
    #expect(menu.products[1].ingredients.map(\.ingredientID) == [1, 3])
    #expect(menu.combos.map(\.price) == [990])
    #expect(
      menu.combos[0].slots.map(\.options) == [
        [SlotOption(productID: 1), SlotOption(productID: 2, surcharge: 150)],
        [SlotOption(productID: 3)],
      ])
    #expect(
      imported.notes == [
        "1 file has a field generated that has no place in the menu model",
        "1 file has a field shop.phone that has no place in the menu model",
        "2 categories have a field slug that has no place in the menu model",
        "3 products have a field title.en that has no place in the menu model",
        "2 variants have a field allergens that has no place in the menu model",
      ])
  }

  @Test("gives equal ids to equal files, counted in the order of the file, whatever theirs are")
  func ids() throws {
    let items = #"{"x": [{"name": "b", "price": 1}, {"name": "a", "price": 2}]}"#
    let menu = try mapped(products: "$.x[*]", of: items).menu
    #expect(menu.products.map(\.id) == [1, 2])
    #expect(menu.products.map(\.name) == ["b", "a"])
    #expect(try mapped(products: "$.x[*]", of: items).menu == menu)
    #expect(menu.categories == [Category(id: 1, name: "Menu")])
  }

  @Test(
    "reads prices exactly, whole units or minor ones, numbers or texts",
    arguments: [
      ("12.5", "major", 1_250), ("\"12.50\"", "major", 1_250), ("0.07", "major", 7),
      ("12.500", "major", 1_250), ("9007199254740993", "minor", 9_007_199_254_740_993),
      ("3", "major", 300), ("1.0", "minor", 1),
    ])
  func prices(price: String, unit: String, minor: Int) throws {
    let imported = try mapped(
      products: "$[*]", price: #"{"path": "@.price", "unit": "\#(unit)"}"#,
      of: #"[{"name": "a", "price": \#(price)}]"#)
    #expect(imported.menu.products[0].variants[0].price == minor)
  }

  @Test(
    "is refused where it finds nothing, two, or another type: mapping line, place, what was there",
    arguments: [
      (
        "$.items[*]", #"{"data": {"items": []}}"#,
        "line 2 of the mapping, products.at: '$.items[*]' finds nothing at $, line 1: there is an object with data"
      ),
      (
        "$.x[*]", #"{"x": [{"name": "a", "price": 1}, {"price": 1, "sku": 7}]}"#,
        "line 3 of the mapping, products.name: '@.name' finds nothing at $.x[1], line 1: there is an object with price, sku"
      ),
      (
        "$.x[*]", "{\"x\": [\n{\"name\": [\"a\"], \"price\": 1}]}",
        "line 3 of the mapping, products.name: '@.name' finds an array at $.x[0].name, line 2, where a text belongs"
      ),
      (
        "$.x[*]", #"{"x": [{"name": 5, "price": 1}]}"#,
        "line 3 of the mapping, products.name: '@.name' finds a number 5 at $.x[0].name, line 1, where a text belongs"
      ),
      (
        "$.x[*]", #"{"x": [{"name": null, "price": 1}]}"#,
        "line 3 of the mapping, products.name: '@.name' finds nothing at $.x[0], line 1: there is an object with name, price"
      ),
      (
        "$.x[*]", #"{"x": [{"name": "a", "name": "b", "price": 1}]}"#,
        "line 3 of the mapping, products.name: '@.name' finds 2 values where one belongs, at $.x[0], line 1: a text \"a\", a text \"b\""
      ),
      (
        "$.x[*]", #"{"x": [{"name": "a", "price": 1.5}]}"#,
        "line 4 of the mapping, products.variants.price: '@.price' finds a number 1.5 at $.x[0].price, line 1, where a whole number of minor units (or \"unit\": \"major\") belongs"
      ),
      (
        "$.x[*]", #"{"x": ["a"]}"#,
        "line 3 of the mapping, products.name: '@.name' finds nothing at $.x[0], line 1: there is a text \"a\""
      ),
    ])
  func finds(at: String, menu: String, message: String) {
    let problem = problem { _ = try mapped(products: at, of: menu) }
    #expect(problem?.description == message)
  }

  @Test("is refused where an optional value is in none of many things, and not where it is in some")
  func idle() throws {
    let mapping = """
      {"locale": {"value": "en"}, "currency": {"value": "EUR"}, "products": {"at": "$[*]",
       "name": "@.name", "details": "@.text", "variants": {"at": "@", "price": {"value": 1}}}}
      """
    let menu = try mapped(mapping, #"[{"name": "a"}, {"name": "b", "text": "c"}]"#).menu
    #expect(menu.products.map(\.details) == ["", "c"])
    let problem = problem { _ = try mapped(mapping, #"[{"name": "a"}, {"name": "b"}]"#) }
    #expect(
      problem?.description
        == "line 2 of the mapping, products.details: '@.text' finds nothing in any of 2 products; "
        + "the first, $[0], line 1, is an object with name")
    #expect(problem?.help == "correct the path, or leave the line out")
  }

  @Test("is refused where paths within each other find more than any menu has")
  func tooMany() {
    let mapping = """
      {"locale": {"value": "en"}, "currency": {"value": "EUR"}, "products": {"at": "$[*]",
       "name": {"value": "a"}, "variants": {"at": "$[*]", "price": {"value": 1},
       "priceTiers": {"at": "$[*]", "name": {"value": "b"}, "price": {"value": 1}}}}}
      """
    let items = "[" + String(repeating: "1,", count: 200) + "1]"
    let problem = problem { _ = try mapped(mapping, items) }
    #expect(
      problem?.description
        == "line 3 of the mapping, products.variants.priceTiers.at: with '$[*]' the mapping has found "
        + "20301 things, far more than the file has")
  }

  @Test("is not refused for lists that are there and empty")
  func emptyLists() throws {
    #expect(try mapped(products: "$.x[*]", of: #"{"x": []}"#).menu.products == [])
  }

  @Test(
    "that makes no sense by itself is refused at its line",
    arguments: [
      ("[]", "line 1: an empty array stands where an object belongs"),
      ("{}", "line 1: it says nothing of 'locale', which every menu needs"),
      ("{\n\"product\": {}}", "line 2: unknown key 'product'"),
      (
        "{\"locale\": \"en\"}",
        "line 1, locale: the path 'en' needs $ for the whole file or @ for the thing at hand at its character 1"
      ),
      ("{\"locale\": 5}", "line 1, locale: a number 5 stands where a path or an object belongs"),
      (
        "{\"locale\": {}}",
        "line 1, locale: an empty object stands where an object with path, value or key belongs"
      ),
      (
        "{\"locale\": {\"path\": \"$\", \"value\": 1}}",
        "line 1, locale: 'value' stands where only one of path, value and key belongs"
      ),
      ("{\"locale\": {\"path\": \"$\", \"units\": 1}}", "line 1, locale: unknown key 'units'"),
      (
        "{\"combos\": {\"price\": {\"path\": \"$\", \"unit\": \"cents\"}}}",
        "line 1, combos.price: a text \"cents\" stands where \"major\" or \"minor\" belongs"
      ),
      (
        "{\"locale\": {\"path\": \"$\", \"unit\": \"major\"}}", "line 1, locale: unknown key 'unit'"
      ),
      (
        "{\"products\": {\"variants\": {\"nutrition\": {}}}}",
        "line 1, products.variants.nutrition: it says nothing of 'per100g', which every menu needs"
      ),
      (
        "{\"locale\": {\"value\": []}}",
        "line 1, locale: an empty array stands where a text, a number, true or false belongs"
      ),
      ("{\"locale\": {\"key\": false}}", "line 1, locale: false stands where true belongs"),
      (
        "{\"locale\": {\"value\": 1},\n \"locale\": {\"value\": 2}}",
        "line 2: a second 'locale' stands where only one belongs"
      ),
      (
        "{\"locale\": {\"value\": \"a\"}, \"currency\": {\"value\": \"b\"}}",
        "line 1: it says nothing of 'products', which every menu needs"
      ),
      (
        "{\"products\": {\"at\": {\"value\": 1}}}",
        "line 1, products.at: an object with value stands where a path belongs"
      ),
      (
        "{\"products\": {\"name\": \"@\"}}",
        "line 1, products: it says nothing of 'at', which every menu needs"
      ),
    ])
  func refused(mapping: String, message: String) {
    let problem = problem { _ = try MenuMapping(Data(mapping.utf8)) }
    #expect(problem?.description == message)
  }

  @Test("refuses a second thing of one id, and a reference to nothing")
  func references() {
    let mapping = """
      {"locale": {"value": "en"}, "currency": {"value": "EUR"},
       "products": {"at": "$.p[*]", "id": "@.id", "name": {"key": true},
         "variants": {"at": "@", "price": {"value": 1}}},
       "combos": {"at": "$.c[*]", "name": {"value": "c"},
         "slots": {"at": "@", "name": {"value": "s"}, "options": {"at": "@.o[*]", "product": "@"}}}}
      """
    let twice = problem { _ = try mapped(mapping, #"{"p": {"a": {"id": 7}, "b": {"id": "7"}}}"#) }
    #expect(
      twice?.description
        == #"line 2 of the mapping, products.id: '@.id' finds "7" at $.p.b.id, line 1, "#
        + "the id of an earlier product")
    let none = problem {
      _ = try mapped(mapping, #"{"p": {"a": {"id": 7}}, "c": [{"o": [7, "x"]}]}"#)
    }
    #expect(
      none?.description
        == #"line 5 of the mapping, combos.slots.options.product: '@' finds "x" at "#
        + "$.c[0].o[1], line 1, the id of no product")
  }

  @Test("of any of ours finds the same menu again in our own file, but for what it leaves out")
  func ownFile() throws {
    let mapping = """
      {"id": "$.menu.id", "revision": "$.menu.revision", "locale": "$.menu.locale",
       "currency": "$.menu.currency", "city": "$.menu.city",
       "categories": {"at": "$.menu.categories[*]", "id": "@.id", "name": "@.name", "parent": "@.parentID"},
       "ingredients": {"at": "$.menu.ingredients[*]", "id": "@.id", "name": "@.name"},
       "modifierGroups": {"at": "$.menu.modifierGroups[*]", "id": "@.id", "name": "@.name",
         "min": "@.min", "max": "@.max", "free": "@.free", "isRequired": "@.isRequired",
         "options": {"at": "@.options[*]", "ingredient": "@.ingredientID",
           "prices": {"at": "@.prices[*]", "size": "@.size", "price": "@.price"}}},
       "products": {"at": "$.menu.products[*]", "id": "@.id", "category": "@.categoryID",
         "kind": "@.kind", "name": "@.name", "details": "@.details", "tags": "@.tags[*]",
         "availability": "@.availability", "modifierGroups": "@.modifierGroupIDs[*]",
         "ingredients": {"at": "@.ingredients[*]", "ingredient": "@.ingredientID",
           "isRemovable": "@.isRemovable"},
         "variants": {"at": "@.variants[*]", "id": "@.id", "size": "@.size", "dough": "@.dough",
           "weight": "@.weight", "price": "@.price", "image": "@.image",
           "priceTiers": {"at": "@.priceTiers[*]", "name": "@.name", "price": "@.price"},
           "nutrition": {
             "per100g": {"energy": "@.nutrition.per100g.energy", "fats": "@.nutrition.per100g.fats",
               "proteins": "@.nutrition.per100g.proteins",
               "carbohydrates": "@.nutrition.per100g.carbohydrates"},
             "whole": {"energy": "@.nutrition.whole.energy", "fats": "@.nutrition.whole.fats",
               "proteins": "@.nutrition.whole.proteins",
               "carbohydrates": "@.nutrition.whole.carbohydrates"}}}},
       "optionLists": {"at": "$.menu.optionLists[*]", "id": "@.id", "options": {"at": "@.options[*]",
         "product": "@.productID", "variant": "@.variantID", "surcharge": "@.surcharge"}},
       "combos": {"at": "$.menu.combos[*]", "id": "@.id", "name": "@.name", "details": "@.details",
         "price": "@.price", "oldPrice": "@.oldPrice", "image": "@.image",
         "slots": {"at": "@.slots[*]", "name": "@.name", "min": "@.min", "max": "@.max",
           "optionList": "@.optionListID", "defaultProduct": "@.defaultProductID"}}}
      """
    let menu = Menu(shape: MenuShape(.small))
    let file = String(decoding: try MenuFile.encode(menu), as: UTF8.self)
    let found = try mapped(mapping, file)
    #expect(
      found.notes == [
        "1 file has a field format that has no place in the menu model",
        "31 slots have a field id that has no place in the menu model",
        "1 modifier has a field modifierGroupIDs that has no place in the menu model",
        "67 products have a field allergens that has no place in the menu model",
        "54 price tiers have a field orderType that has no place in the menu model",
        "19 products have a field otherCategoryIDs that has no place in the menu model",
        "5 products have a field hours that has no place in the menu model",
        "1 file has a field menu.stopList that has no place in the menu model",
        "1 file has a field menu.storeOverrides that has no place in the menu model",
        "1 file has a field menu.translations that has no place in the menu model",
        "1 file has a field schema that has no place in the menu model",
      ])
    #expect(found.menu.counts.dropLast().map(\.count) == menu.counts.dropLast().map(\.count))
    #expect(found.menu.products.map(\.name) == menu.products.map(\.name))
    #expect(
      found.menu.products.flatMap(\.variants).map(\.nutrition)
        == menu.products.flatMap(\.variants).map(\.nutrition))
    #expect(found.menu.combos.map(\.oldPrice) == menu.combos.map(\.oldPrice))
    #expect(
      found.menu.modifierGroups.map(\.options.count) == menu.modifierGroups.map(\.options.count))
    let names = { (menu: Menu) in
      let names = Dictionary(uniqueKeysWithValues: menu.products.map { ($0.id, $0.name) })
      return menu.optionLists.map { $0.options.map { names[$0.productID] } }
    }
    #expect(names(found.menu) == names(menu))
  }

  @Test("is read of a random damage to the example without a trap", arguments: UInt64(1)...3)
  func damage(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for name in ["cafe-mapping.json", "cafe.json"] {
      let url = URL(fileURLWithPath: Self.datasets + "/" + name)
      let other = URL(
        fileURLWithPath: Self.datasets + (name == "cafe.json" ? "/cafe-mapping.json" : "/cafe.json")
      )
      for _ in 0..<150 {
        var bytes = try Data(contentsOf: url)
        for _ in 0...random.below(3) {
          bytes[random.below(bytes.count)] = Array("[]{}\",:.$@*019 ab".utf8)[random.below(17)]
        }
        let rest = try Data(contentsOf: other)
        let (mapping, menu) = name == "cafe.json" ? (rest, bytes) : (bytes, rest)
        // Either a menu or a problem with words; the seed gives the damage again.
        do {
          _ = try MenuFile.decode(menu, mappedBy: MenuMapping(mapping))
        } catch let problem as MenuFileProblem {
          #expect(!problem.description.isEmpty, "seed \(seed)")
        }
      }
    }
  }
}
