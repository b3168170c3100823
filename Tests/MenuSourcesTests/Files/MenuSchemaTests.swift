import Foundation
import MenuModel
import Testing

@testable import MenuSources

@Suite("The schema of our menu file")
struct MenuSchemaTests {
  private let schema: [String: Any]

  init() throws {
    let url = ShippedFile.url("Datasets/menu.schema.json")
    schema = try #require(
      JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any])
  }

  /// The keys that objects of each kind had in a file: of any of them, and of all.
  private struct Seen {
    var any: Set<String>
    var all: Set<String>
  }

  @Test("has every field of the model and no other, and requires those that are always present")
  func fields() throws {
    var seen: [String: Seen] = [:]
    for menu in [OwnKeysTests.fullMenu, Self.bareMenu] {
      let file = try JSONSerialization.jsonObject(with: MenuFile.encode(menu))
      try note(file, as: schema, named: "file", &seen)
    }
    let kinds = try #require(schema["$defs"] as? [String: [String: Any]])
      .filter { $0.value["properties"] != nil }
    #expect(Set(seen.keys) == Set(kinds.keys).union(["file"]))
    for (name, keys) in seen {
      let kind = name == "file" ? schema : kinds[name] ?? [:]
      #expect(Set((kind["properties"] as? [String: Any] ?? [:]).keys) == keys.any, "\(name)")
      let required = keys.all.subtracting(Self.later[name] ?? [])
      #expect(Set(kind["required"] as? [String] ?? []) == required, "\(name)")
      #expect(kind["additionalProperties"] as? Bool == false, "\(name)")
    }
  }

  /// Lists that are always written, and that menus of before do not have.
  private static let later: [String: Set<String>] = [
    "menu": ["storeOverrides"], "product": ["otherCategoryIDs", "hours", "allergens"],
    "modifierOption": ["modifierGroupIDs"],
  ]

  @Test("knows every kind of product, availability, allergen, order type and entity")
  func words() throws {
    let kinds = try #require(schema["$defs"] as? [String: [String: Any]])
    let product = try #require(kinds["product"]?["properties"] as? [String: [String: Any]])
    #expect(product["kind"]?["enum"] as? [String] == Product.Kind.allCases.map(\.rawValue))
    #expect(
      product["availability"]?["enum"] as? [String] == Product.Availability.allCases.map(\.rawValue)
    )
    #expect(kinds["allergen"]?["enum"] as? [String] == Allergen.allCases.map(\.rawValue))
    let tier = try #require(kinds["priceTier"]?["properties"] as? [String: [String: Any]])
    #expect(tier["orderType"]?["enum"] as? [String] == OrderType.allCases.map(\.rawValue))
    #expect(kinds["entity"]?["enum"] as? [String] == Entity.allCases.map(\.rawValue))
  }

  @Test("has the schema number that the program reads and writes")
  func version() throws {
    let properties = try #require(schema["properties"] as? [String: [String: Any]])
    #expect(properties["schema"]?["const"] as? Int == MenuFile.schema)
    #expect(properties["format"]?["const"] as? String == MenuFile.format)
  }

  /// Follows a file and its schema side by side.
  private func note(
    _ value: Any, as node: [String: Any], named name: String, _ seen: inout [String: Seen]
  ) throws {
    if let reference = node["$ref"] as? String {
      let kind = String(reference.split(separator: "/").last ?? "")
      let kinds = schema["$defs"] as? [String: [String: Any]]
      try note(value, as: try #require(kinds?[kind], "\(reference)"), named: kind, &seen)
    } else if let object = value as? [String: Any], let parts = node["properties"] as? [String: Any]
    {
      let keys = Set(object.keys)
      var kind = seen[name] ?? Seen(any: keys, all: keys)
      kind.any.formUnion(keys)
      kind.all.formIntersection(keys)
      seen[name] = kind
      for (key, part) in object {
        guard let node = parts[key] as? [String: Any] else { continue }
        try note(part, as: node, named: key, &seen)
      }
    } else if let array = value as? [Any] {
      let items = try #require(node["items"] as? [String: Any], "\(name)")
      for element in array { try note(element, as: items, named: name, &seen) }
    }
  }

  /// A menu in which everything is absent that may be.
  private static var bareMenu: Menu {
    let product = Product(
      id: 1, categoryID: 1, kind: .other, name: "a", details: "",
      variants: [Variant(id: 1, size: "", price: 1, image: "")])
    return Menu(
      id: 1, revision: 1, locale: "en", currency: "EUR", city: "",
      categories: [Category(id: 1, name: "a")], ingredients: [Ingredient(id: 1, name: "a")],
      products: [product],
      optionLists: [OptionList(id: 1, options: [SlotOption(productID: 1)])],
      combos: [
        Combo(
          id: 1, name: "a", details: "", price: nil, image: "",
          slots: [
            Slot(id: 1, name: "a", min: 0, max: 1, optionListID: 1),
            Slot(id: 2, name: "a", min: 0, max: 1, options: [SlotOption(productID: 1)]),
          ])
      ], stopList: [StopListEntry(entity: .product, entityID: 1)],
      translations: [Translation(locale: "de", entity: .product, entityID: 1, name: "a")])
  }
}
