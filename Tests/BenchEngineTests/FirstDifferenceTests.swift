import BenchEngine
import MenuModel
import MenuSources
import MenuWorkloads
import Testing

@Suite("The first difference of two values")
struct FirstDifferenceTests {
  private let menu = Menu(shape: MenuShape(.small))

  @Test("is named by its path, with both values")
  func path() {
    var other = menu
    other.products[3].variants[0].price += 1
    let before = menu.products[3].variants[0].price
    #expect(
      firstDifference(menu, other)
        == "products[3].variants[0].price: \(before) became \(before + 1)")
  }

  @Test("counts parts that were added or removed")
  func count() {
    var other = menu
    other.combos.removeLast()
    #expect(firstDifference(menu, other) == "combos: 8 parts became 7")
  }

  @Test("distinguishes the forms of a text that == calls equal")
  func forms() {
    var other = menu
    var first = menu
    first.city = "caf\u{e9}"
    other.city = "cafe\u{301}"
    #expect(first.city == other.city)
    #expect(firstDifference(first, other) == "city: \"caf\u{e9}\" became \"cafe\u{301}\"")
  }

  @Test("distinguishes absent from present")
  func absent() {
    var other = menu
    other.combos[0].price = nil
    #expect(firstDifference(menu, other)?.hasPrefix("combos[0].price: ") == true)
  }

  @Test("is nil for equal values")
  func none() {
    #expect(firstDifference(menu, menu) == nil)
  }
}
