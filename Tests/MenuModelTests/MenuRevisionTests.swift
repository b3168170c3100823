import MenuModel
import MenuSources
import Testing

@Suite("A revised menu")
struct MenuRevisionTests {
  static let shapes = [
    "small", "small:lists=repeated,embed=yes", "medium", "products=1,combos=1,slots=1,options=1",
  ]

  private func menu(_ shape: String) throws -> Menu { Menu(shape: try MenuShape(parsing: shape)) }

  @Test("is valid, whatever the number", arguments: shapes)
  func valid(shape: String) throws {
    let menu = try menu(shape)
    for number in Array(0..<50) + [-1, 1_000, .min, .max] {
      #expect(menu.revised(number).problems() == [], "revision \(number)")
    }
  }

  @Test(
    "is always the same for one number and differs for others, and 0 is the menu", arguments: shapes
  )
  func numbers(shape: String) throws {
    let menu = try menu(shape)
    #expect(menu.revised(0) == menu)
    let revisions = (0..<50).map { menu.revised($0).fingerprint }
    #expect(revisions == (0..<50).map { menu.revised($0).fingerprint })
    #expect(Set(revisions).count == 50)
  }

  @Test("is the same as when it was published")
  func published() throws {
    let menu = try menu("small")
    let fingerprints = (1...2).map { menu.revised($0).fingerprint.description }
    #expect(fingerprints == ["5c11c727e9dc3e03", "4601d75bde00d541"])
  }

  @Test("stays within a tenth of the menu's counts, and of its texts and prices")
  func size() throws {
    let menu = try menu("medium")
    func texts(_ menu: Menu) -> Int {
      menu.products.reduce(0) { $0 + $1.name.utf8.count + $1.details.utf8.count }
    }
    func prices(_ menu: Menu) -> Int {
      menu.products.flatMap(\.variants).reduce(0) { $0 + $1.price }
    }
    func ratio(_ part: (Menu) -> Int, _ number: Int) -> Double {
      Double(part(menu.revised(number))) / Double(part(menu))
    }
    for number in 1..<50 {
      for part in [{ $0.products.count }, { $0.combos.count }, texts, prices] as [(Menu) -> Int] {
        #expect((0.85...1.15).contains(ratio(part, number)), "revision \(number)")
      }
    }
  }

  @Test("has removed, new and changed products and combos in every revision")
  func changes() throws {
    let menu = try menu("medium")
    for number in 1..<50 {
      let (old, new) = (menu.revised(number - 1), menu.revised(number))
      let (before, after) = (Set(old.products.map(\.id)), Set(new.products.map(\.id)))
      #expect(!before.subtracting(after).isEmpty)
      #expect(!after.subtracting(before).isEmpty)
      let changed = new.products.filter { product in
        old.product(product.id).map { $0 != product } ?? false
      }
      #expect(changed.count > menu.products.count / 4)
      #expect(Set(changed.map(\.name)) != Set(changed.compactMap { old.product($0.id)?.name }))
    }
    let combos = (0..<50).map { Set(menu.revised($0).combos.map(\.id)) }
    #expect(Set(combos).count > 40)
  }

  @Test("is empty for an empty menu, and does not trap with absurd prices")
  func absurd() {
    var menu = Menu(id: 1, revision: .max, locale: "", currency: "", city: "")
    #expect(menu.revised(7).products.isEmpty)
    menu.products = (0..<40).map { number in
      Product(
        id: .max - number, categoryID: 1, kind: .other, name: "", details: "",
        variants: [Variant(id: .min + number, size: "", price: number < 20 ? .max : -1, image: "")])
    }
    #expect(menu.revised(7).products.count >= 40)
  }
}
