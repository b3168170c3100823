import MenuModel
import Testing

@Suite("What the Domino's importer says")
struct DominosNotesTests {
  @Test("counts all that it left out, assumed or renamed, and nothing else")
  func notes() throws {
    #expect(
      try DominosFixture.imported().notes == [
        "1 product of a category is not in the file: P_GONE",
        "1 category has no name and shows its code: Hollow",
        "1 category has a field Tags that has no place in the menu model",
        "4 categories have a field Code that has no place in the menu model",
        "2 categories of Coupons have no place in the menu model",
        "1 product stands in no category and goes to one of its own, Uncategorized: P_ODD",
        "1 topping has a field Tags that has no place in the menu model",
        "1 side has a field Description that has no place in the menu model",
        "2 families of toppings or sides have no place in the menu model",
        "1 product has a field ImageCode that has no place in the menu model",
        "1 product has a field Tags that has no place in the menu model",
        "1 variant has a field Prepared that has no place in the menu model",
        "1 variant names a product that does not list it; the list counts: V2",
        "3 variants have no size and show their names instead",
        "1 price tier is empty and is left out: C of V1S",
        "1 record has another code than the one it is filed under, which counts: P_2 under P_TWO",
        "1 variant is listed again and kept in the first place only: V1S",
        "1 size is not in the file and shows its code: 99 of Pizza",
        "1 flavor is not in the file and shows its code: X of Pizza",
        "1 variant that a product lists is not in the file: V_GONE",
        "1 default topping or side comes in a quantity other than 1, which has no place in the menu model",
        "1 topping or side of a product is not in the file: Q of Pizza",
        "1 topping or side is repeated in a product's list: T of Pizza",
        "2 choices of toppings or sides list quantities, which have no place in the menu model",
        "1 product has no variant that can be ordered and is left out: P_EMPTY",
        "1 variant has no price and is left out: VFREE",
        "1 product has an unknown type and becomes `other`: Hats",
        "1 variant is listed by no product and is left out: VLOST",
        "2 variants have a field Name that has no place in the menu model",
        "1 coupon has a field Local that has no place in the menu model",
        "2 coupons become combos without slots: the file says only in words what they are for",
        "1 coupon has no price: 20",
        "1 preconfigured product has a field Options that has no place in the menu model",
        "2 preconfigured products become combos without a price",
        "1 preconfigured product names a variant that the menu lacks and has no slot: F2",
        "1 size has a field SortSeq that has no place in the menu model",
        "1 flavor has a field SortSeq that has no place in the menu model",
        "1 size that no variant has is left out: 12 of Pizza",
        "1 store has a field Status that has no place in the menu model",
        "1 cooking instruction has no place in the menu model",
        "2 coupon tiers have no place in the menu model",
        "1 store names no currency: USD is assumed",
      ])
  }

  @Test("a store without a number, a language or a record of its own is said")
  func store() throws {
    let odd = try DominosFixture.imported {
      $0.replacing(#""StoreID": "77", "LanguageCode": "fr""#, with: #""StoreID": "x7""#)
    }
    #expect((odd.menu.id, odd.menu.locale) == (1, "und"))
    #expect(odd.notes.contains("1 store has no number for an id: 1 is taken: x7"))
    #expect(odd.notes.contains("1 store names no language: `und`, undetermined, is taken"))
    let none = try DominosFixture.imported { $0.replacing(#""Misc""#, with: #""Mist""#) }
    #expect((none.menu.id, none.menu.locale) == (1, "und"))
    #expect(none.notes.contains("4 mist have no place in the menu model"))
  }

  @Test(
    "a price that is none is refused with its path",
    arguments: [
      "-1", "1.999", "1,5", "1.", ".5", "1e3", " 1", "+1", "١", "1.2.3", "free",
      "92233720368547758.08", "99999999999999999999",
    ])
  func malformedPrice(price: String) {
    let problem = #expect(throws: MenuFileProblem.self) {
      try DominosFixture.imported { $0.replacing(#""B": "7.5""#, with: "\"B\": \"\(price)\"") }
    }
    #expect(
      problem
        == .invalidValue(
          "Variants.V1S.Pricing.B", reason: "\"\(price)\" is not a price like 6.99"))
  }

  @Test(
    "a price is read exactly, up to the largest",
    arguments: [("0.1", 10), ("19.90", 1990), ("007", 700), ("92233720368547758.07", Int.max)])
  func price(text: String, cents: Int) throws {
    let menu = try DominosFixture.imported {
      $0.replacing(#""Price": "0.05""#, with: "\"Price\": \"\(text)\"")
    }.menu
    #expect(menu.products[2].variants[0].price == cents)
  }

  @Test("a record without its name is refused with its path")
  func missingName() {
    let problem = #expect(throws: MenuFileProblem.self) {
      try DominosFixture.imported { $0.replacing(#""Name": "Sausage""#, with: "") }
    }
    #expect(problem == .invalidValue("Toppings.Pizza.S.Name", reason: "is missing"))
  }
}
