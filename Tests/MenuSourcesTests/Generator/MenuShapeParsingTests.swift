import MenuSources
import Testing

struct MenuShapeParsingTests {
  /// The keys of spreads, as an error lists them.
  private static let traits =
    MenuTrait.allCases.dropFirst(2).dropLast().map(\.rawValue).joined(separator: ", ")
    + " or otherbytes"

  @Test("A custom shape has the counts of its text, with slots and options multiplied")
  func byHand() throws {
    let shape = try MenuShape(
      parsing: "products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated,embed=yes")
    #expect(shape.products == 20_000)
    #expect(shape.combos == 2_000)
    #expect(shape.slots == 8_000)
    #expect(shape.options == 320_000)
    #expect(shape.seed == 7)
    #expect(shape.lists == .repeated)
    #expect(shape.optionProducts == .embedded)
  }

  @Test("The default seed of a custom shape is its number of products, and lists are shared")
  func defaults() throws {
    let shape = try MenuShape(parsing: "combos=2,options=3,products=10,slots=4")
    #expect(shape.seed == 10)
    #expect(shape.lists == .shared)
    #expect(shape.optionProducts == .referenced)
  }

  @Test("A preset can be changed by seed, lists and embedding")
  func changedPreset() throws {
    let shape = try MenuShape(parsing: "large:lists=repeated,embed=yes,seed=9")
    #expect(
      shape == MenuShape(.large).with(lists: .repeated, optionProducts: .embedded, seed: 9))
    #expect(try MenuShape(parsing: "large:embed=no") == MenuShape(.large))
  }

  @Test("The largest seed is read", arguments: [0, 1, UInt64.max])
  func seed(seed: UInt64) throws {
    #expect(try MenuShape(parsing: "small:seed=\(seed)").seed == seed)
  }

  @Test(
    "A text that is not a shape is refused with its wrong part and the choices",
    arguments: [
      ("", "unknown menu shape '': expected small, medium, large or huge or key=value pairs"),
      (
        "larg",
        "unknown menu shape 'larg': expected small, medium, large or huge or key=value pairs"
      ),
      (
        "tiny:seed=1",
        "unknown menu shape 'tiny': expected small, medium, large or huge or key=value pairs"
      ),
      ("large:", "'' is not key=value"),
      ("large:seed", "'seed' is not key=value"),
      ("large:seed=1,", "'' is not key=value"),
      ("large:products=5", "large has its own 'products', which cannot be changed"),
      ("large:product=5", "unknown key 'product': expected seed, lists, embed, \(Self.traits)"),
      (
        "product=5",
        "unknown key 'product': expected products, combos, slots, options, seed, lists, embed, "
          + Self.traits
      ),
      ("products=5,products=5", "key 'products' is given twice"),
      ("products=5,slots=2", "no value for combos, options"),
      ("large:lists=copied", "lists cannot be 'copied': expected shared or repeated"),
      ("large:embed=true", "embed cannot be 'true': expected yes or no"),
      ("large:seed=-1", "seed must be 0 to 18446744073709551615, not -1"),
      (
        "large:seed=18446744073709551616",
        "seed must be 0 to 18446744073709551615, not 18446744073709551616"
      ),
      ("large:seed=x", "seed must be a whole number, not 'x'"),
      ("products=,combos=1,slots=1,options=1", "products must be a whole number, not ''"),
      ("products=1e3,combos=1,slots=1,options=1", "products must be a whole number, not '1e3'"),
      ("products=+5,combos=1,slots=1,options=1", "products must be a whole number, not '+5'"),
      ("products=٣,combos=1,slots=1,options=1", "products must be a whole number, not '٣'"),
      ("products=0,combos=1,slots=1,options=1", "products must be 1 to 1000000, not 0"),
      ("products=9,combos=-3,slots=1,options=1", "combos must be 0 to 100000, not -3"),
      ("products=9,combos=1,slots=101,options=1", "slots must be 0 to 100, not 101"),
      (
        "products=9,combos=1,slots=1,options=999999999999999999999",
        "options must be 0 to 10000, not 999999999999999999999"
      ),
      (
        "products=9,combos=100000,slots=11,options=1",
        "1100000 slots in total are too many: at most 1000000"
      ),
      (
        "products=1000000,combos=100000,slots=10,options=10000",
        "10000000000 slot options in total are too many: at most 10000000"
      ),
      (
        "products=9,combos=1,slots=1,options=10",
        "a slot with 10 different options needs as many products: there are 9"
      ),
      ("products=9,combos=1,slots=1,options=0", "options must be 1 to 10000, not 0"),
      (
        "small:variants=x",
        "variants must be a whole number, or counts of numbers such as 17x0+30x1, not 'x'"
      ),
      ("small:variants=1x0+1x3", "variants must be 1 to 10000, not 0"),
      ("small:variants=20000", "variants must be 1 to 10000, not 20000"),
      ("small:bytes=4", "bytes must be 1 to 3, not 4"),
      ("small:slots=1x2", "small has its own 'slots', which cannot be changed"),
      (
        "products=9,combos=4,slots=1x101,options=1", "slots must be 0 to 100, not 101"
      ),
      (
        "products=1000000,combos=1,slots=1,options=1,variants=11",
        "11000000 variants in total are too many: at most 10000000"
      ),
    ])
  func refused(text: String, message: String) {
    let error = #expect(throws: MenuShapeError.self) { try MenuShape(parsing: text) }
    #expect(error?.description == message)
  }

  @Test(
    "The text of a shape is the shortest one for it",
    arguments: [
      "small", "huge", "large:seed=9", "medium:lists=repeated",
      "small:seed=0,lists=repeated,embed=yes",
      "products=20000,combos=2000,slots=4,options=40,seed=7,lists=repeated,embed=yes",
      "products=9,combos=3,slots=1,options=9,seed=9", "small:seed=9,embed=yes,variants=19x1+8x3",
      "products=9,combos=3,slots=1x0+2x4,options=1x9,seed=9,parts=3",
      "products=9,combos=0,slots=0,options=0,seed=9",
    ])
  func canonical(text: String) throws {
    #expect(try MenuShape(parsing: text).description == text)
  }

  @Test("A custom shape with the counts of a preset is that preset")
  func samePreset() throws {
    let shape = try MenuShape(parsing: "products=5000,combos=500,slots=4,options=40")
    #expect(shape == MenuShape(.huge))
    #expect(shape.description == "huge")
  }

  @Test("The text of any shape gives that shape back", arguments: [UInt64(1), 2, 3])
  func roundTrip(seed: UInt64) throws {
    var random = RandomShapes(seed)
    for _ in 0..<500 {
      let shape = try random.shape(
        products: 1...1_000_000, combos: 1...1_000, slots: 10, options: 100)
      #expect(try MenuShape(parsing: shape.description) == shape, "seed \(seed): \(shape)")
    }
  }
}
