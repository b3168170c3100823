import Foundation
import Testing

@testable import MenuModel

@Suite("A schema change")
struct SchemaChangeTests {
  private let menu: Menu = {
    var menu = Menu(id: 1, revision: 2, locale: "ru", currency: "RUB", city: "")
    let pizza = Product(
      id: 1, code: "P", categoryID: 3, kind: .snack, name: "Pepperoni", details: "Hot: very",
      variants: [Variant(id: 7, code: "V", size: "30", dough: "thin", price: 58_901, image: "a")])
    let cola = Product(
      id: 2, code: "C", categoryID: 3, kind: .drink, name: "Cola", details: "",
      variants: [Variant(id: 8, size: "1 l", price: 5, image: "")])
    menu.products = [pizza, cola]
    menu.optionLists = [OptionList(id: 1, options: [SlotOption(productID: 2, product: cola)])]
    let slot = Slot(
      id: 1, name: "", min: 0, max: 1, options: [SlotOption(productID: 1, product: pizza)])
    menu.combos = [Combo(id: 1, name: "", details: "", price: nil, image: "", slots: [slot])]
    return menu
  }()

  private func json(_ change: SchemaChange) throws -> Data {
    try JSONEncoder().encode(ForeignMenu(menu, across: change))
  }

  /// The keys of everything that is a product or a variant, in order, none twice.
  private func keys(_ change: SchemaChange) throws -> [String] {
    func collect(_ value: Any, _ keys: inout Set<String>) {
      if let list = value as? [Any] { for element in list { collect(element, &keys) } }
      guard let object = value as? [String: Any] else { return }
      let isVariant = object["image"] != nil && object["size"] != nil
      if isVariant || object["variants"] != nil {
        keys.formUnion(object.keys.map { isVariant ? "variant.\($0)" : $0 })
      }
      for element in object.values { collect(element, &keys) }
    }
    var found: Set<String> = []
    collect(try JSONSerialization.jsonObject(with: json(change)), &found)
    return found.sorted()
  }

  @Test("is the difference in the fields of the other program's products, and nothing else")
  func keys() throws {
    let own = Set(
      try JSONDecoder().decode(Menu.self, from: JSONEncoder().encode(menu)) == menu
        ? keys(.back).filter { $0 != "rating" } : [])
    #expect(own.count == 21)
    #expect(try own.subtracting(keys(.optional)) == ["code"])
    #expect(try own.subtracting(keys(.required)) == ["kind"])
    #expect(try own.subtracting(keys(.split)) == ["name", "details"])
    #expect(try own.subtracting(keys(.type)) == ["variant.price"])
    let more = try SchemaChange.allCases.map { Set(try keys($0)).subtracting(own) }
    #expect(more == [[], [], ["label"], ["variant.amount"], ["rating"]])
  }

  @Test("fills in absent values, in products and in the copies of options", arguments: 0...4)
  func crossed(index: Int) throws {
    let change = SchemaChange.allCases[index]
    let crossed = menu.across(change)
    let embedded = [
      crossed.combos[0].slots[0].options?[0].product, crossed.optionLists[0].options[0].product,
    ]
    #expect(embedded == crossed.products.map(Optional.some))
    let expected: (codes: [String?], kinds: [Product.Kind]) =
      switch change {
      case .optional: ([nil, nil], [.snack, .drink])
      case .required: (["P", "C"], [.pizza, .other])
      case .split, .type, .back: (["P", "C"], [.snack, .drink])
      }
    #expect(crossed.products.map(\.code) == expected.codes)
    #expect(crossed.products.map(\.kind) == expected.kinds)
    #expect(crossed.products.map(\.name) == ["Pepperoni", "Cola"])
    #expect(crossed.products.map(\.details) == ["Hot: very", ""])
    #expect(crossed.products.flatMap(\.variants).map(\.price) == [58_901, 5])
    #expect(crossed.products[0].variants[0].code == "V")
  }

  @Test("is applied by a decoder to the other program's encoding", arguments: 0...4)
  func decoded(index: Int) throws {
    let change = SchemaChange.allCases[index]
    #expect(try JSONDecoder().decode(Menu.self, from: json(change)) == menu.across(change))
    let list = try PropertyListEncoder().encode(ForeignMenu(menu, across: change))
    #expect(try PropertyListDecoder().decode(Menu.self, from: list) == menu.across(change))
  }

  @Test("cuts a label at its first colon and space")
  func labels() {
    func texts(_ label: String) -> [String] {
      let texts = Product.texts(ofLabel: label)
      return [texts.name, texts.details]
    }
    #expect(texts("a: b: c") == ["a", "b: c"])
    #expect(texts("a:b") == ["a:b", ""])
    #expect(texts(": ") == ["", ""])
    #expect(texts("") == ["", ""])
    #expect(
      texts("a: \u{301}b").map { Array($0.utf8) } == [Array("a".utf8), Array("\u{301}b".utf8)])
  }

  @Test("turns amounts into prices, and refuses amounts that are not prices")
  func amounts() {
    let prices = [0, 1, 29, 5_890, 58_901, 115, -7, 999_999_999]
    let amounts = prices.map { Variant(id: 1, size: "", price: $0, image: "").amount }
    #expect(amounts.map(Variant.price) == prices)
    #expect(Variant.price(ofAmount: 1e300) == nil)
    #expect(Variant.price(ofAmount: .nan) == nil)
  }

  /// A variant or a product with a key changed or, by nil, taken away.
  private func decode<Value: Decodable>(
    _ type: Value.Type, _ value: some Encodable, _ key: String, _ change: Any?
  ) throws -> Value {
    let whole = try JSONSerialization.jsonObject(with: JSONEncoder().encode(value))
    var object = try #require(whole as? [String: Any])
    object[key] = change
    return try JSONDecoder().decode(type, from: JSONSerialization.data(withJSONObject: object))
  }

  @Test("excuses nothing else: a field that is absent, null or of another type is named")
  func damage() throws {
    func missing(_ error: (any Error)?) -> String? {
      guard case .keyNotFound(let key, _)? = error as? DecodingError else { return nil }
      return key.stringValue
    }
    let product = menu.products[0]
    for key in ["id", "categoryID", "name", "details", "tags", "availability", "variants"] {
      let error = #expect(throws: DecodingError.self) {
        try decode(Product.self, product, key, nil)
      }
      #expect(missing(error) == key)
    }
    for key in ["id", "size", "price", "priceTiers", "image"] {
      let error = #expect(throws: DecodingError.self) {
        try decode(Variant.self, product.variants[0], key, nil)
      }
      #expect(missing(error) == key)
    }
    for key in ["kind", "name", "details", "availability"] {
      #expect(throws: DecodingError.self) { try decode(Product.self, product, key, NSNull()) }
      #expect(throws: DecodingError.self) { try decode(Product.self, product, key, 7) }
    }
    for value in [NSNull(), "7", 1e300] as [Any] {
      #expect(throws: DecodingError.self) {
        try decode(Variant.self, product.variants[0], "price", value)
      }
    }
  }
}
