import MenuSources
import Testing

@testable import MenuModel

@Suite("The parts of a menu")
struct MenuPartsTests {
  private let menu = Menu(shape: MenuShape(.small))

  private func checksum(_ part: some MenuPart) -> Checksum {
    var checksum = Checksum()
    part.visit(&checksum)
    return checksum
  }

  @Test("A resolved combo has the options of every slot and each of their products once")
  func resolved() throws {
    for combo in menu.combos {
      let resolved = try #require(menu.resolvedCombo(combo.id))
      #expect(resolved.combo == combo)
      #expect(resolved.options == combo.slots.map { menu.options(of: $0) })
      let ids = resolved.products.map(\.id)
      #expect(Set(ids).count == ids.count)
      #expect(Set(ids) == Set(resolved.options.joined().map(\.productID)))
    }
    #expect(menu.resolvedCombo(-1) == nil)
    #expect(menu.product(-1) == nil)
  }

  @Test("A part's checksum changes with every level of it")
  func levels() throws {
    let combo = try #require(menu.resolvedCombo(menu.combos[0].id))
    var others = Array(repeating: combo, count: 4)
    others[0].combo.price = (combo.combo.price ?? 0) + 1
    others[1].combo.slots[0].max += 1
    others[2].options[0][0].surcharge += 1
    others[3].products[0].variants[0].price += 1
    let checksums = ([combo] + others).map(checksum)
    #expect(Set(checksums).count == 5)
  }

  @Test("A patch changes prices, availability and revision, in embedded copies too")
  func patch() throws {
    let product = menu.products[0]
    let variant = product.variants[0]
    var embedded = menu
    var option = SlotOption(productID: product.id)
    option.product = product
    embedded.optionLists.append(OptionList(id: -5, options: [option]))
    embedded.combos[0].slots[0].optionListID = nil
    embedded.combos[0].slots[0].options = [option]
    var expected = embedded
    expected.revision = 99
    func change(_ product: inout Product) {
      product.availability = .hidden
      product.variants[0].price = 12_345
    }
    change(&expected.products[0])
    var copy = product
    change(&copy)
    expected.optionLists[expected.optionLists.count - 1].options[0].product = copy
    expected.combos[0].slots[0].options?[0].product = copy
    try embedded.apply(
      MenuPatch(
        revision: 99,
        prices: [
          .init(variantID: variant.id, price: 1), .init(variantID: variant.id, price: 12_345),
        ],
        availability: [.init(productID: product.id, availability: .hidden)]))
    #expect(embedded == expected)
  }

  @Test("A patch for a missing thing changes nothing")
  func unknown() {
    var patched = menu
    #expect(throws: UnknownPatchTarget(entity: .variant, id: -3)) {
      try patched.apply(
        MenuPatch(
          revision: 1, prices: [.init(variantID: -3, price: 1)],
          availability: [.init(productID: menu.products[0].id, availability: .hidden)]))
    }
    #expect(throws: UnknownPatchTarget(entity: .product, id: -4)) {
      try patched.apply(
        MenuPatch(revision: 1, availability: [.init(productID: -4, availability: .hidden)]))
    }
    #expect(patched == menu)
  }

  @Test("A search ignores case and form, finds ё with е, and does not find и with й")
  func search() {
    func product(_ id: Int, _ name: String) -> Product {
      var product = menu.products[0]
      (product.id, product.name) = (id, name)
      return product
    }
    var menu = menu
    menu.products = [
      product(1, "Ёжик"), product(2, "Еда"), product(3, "чаЙ"), product(4, "чаи\u{306}"),
      product(5, "чаи"), product(6, "Pizza É"), product(7, "pizza e\u{301}"), product(8, "а"),
    ]
    func found(_ query: String) -> [Int] { NameSearch.products(of: menu, named: query) }
    #expect(found("ё") == [2, 1])
    #expect(found("Е") == [2, 1])
    #expect(found("й") == [3, 4])
    #expect(found("ЧАИ") == [5])
    #expect(found("é") == [6, 7])
    #expect(found("a e") == [6, 7])
    #expect(found("a E\u{301}") == [6, 7])
    #expect(found("PIZZA") == [6, 7])
    #expect(found("") == [6, 7, 8, 2, 1, 5, 3, 4])
    #expect(found("%").isEmpty)
  }

  @Test("Every letter that is folded byte by byte agrees with Unicode's tables")
  func folding() throws {
    var name = FoldedName()
    func folds(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { name.fold($0) } }
    for value in Array(0...0x7F) + Array(0x400...0x45F) {
      let letter = String(try #require(Unicode.Scalar(UInt32(value))))
      for text in [letter, "a" + letter + "я"] {
        #expect(folds(Array(text.utf8)), "U+\(String(value, radix: 16))")
        #expect(
          name.bytes == Array(NameSearch.unicodeKey(text).utf8), "U+\(String(value, radix: 16))")
      }
    }
    for other in ["é", "\u{460}", "\u{306}", "a😀"] { #expect(!folds(Array(other.utf8))) }
    #expect(!folds([0xD0]))
    #expect(!folds([0xD0, 0x41]))
  }

  @Test("Names are sorted by the alphabet, whatever the case or accent")
  func order() {
    let sorted = [
      "10 apples", "9 apples", "apple", "Banana", "cherry", "Éclair", "egg", "ÉPÉE", "Über",
      "zebra",
      "Айва", "АЙС", "Ёж", "ёжик", "ель", "ЕЩЁ", "Ива", "икра",
      "Йогурт",
      "Кола", "кола без сахара", "Яблоко",
    ]
    var menu = menu
    menu.products = sorted.enumerated().map { index, name in
      var product = menu.products[0]
      (product.id, product.name) = (index, index % 2 == 0 ? name : decomposed(name))
      return product
    }
    menu.products.reverse()
    #expect(NameSearch.products(of: menu, named: "").map { sorted[$0] } == sorted)
  }

  private func decomposed(_ text: String) -> String {
    text.replacing("й", with: "и\u{306}").replacing("Й", with: "И\u{306}")
      .replacing("ё", with: "е\u{308}").replacing("Ё", with: "Е\u{308}")
      .replacing("É", with: "E\u{301}").replacing("Ü", with: "U\u{308}")
  }
}
