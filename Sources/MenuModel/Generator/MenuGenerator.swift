/// Writes a menu of a given shape.
///
/// Everything comes from the shape alone: whole numbers from one ``SplitMix64`` sequence, texts from
/// ``Words``, no set's or dictionary's order, no locale, no clock. Content does not depend on the
/// knobs: the four menus of one seed show the same options.
struct MenuGenerator {
  let shape: MenuShape
  var random: SplitMix64
  var text = TextPair()
  var menu: Menu
  private var lastID = 0

  init(_ shape: MenuShape) {
    self.shape = shape
    random = SplitMix64(seed: shape.seed)
    menu = Menu(
      id: 1, revision: 1, locale: "ru-RU", currency: "RUB",
      city: Words.cities[random.below(Words.cities.count)])
  }

  mutating func generate() -> Menu {
    let shelves = addCategories()
    addIngredients()
    let groups = addModifierGroups()
    reserveTranslations()
    addProducts(on: shelves, groups: groups)
    addCombos()
    addStopList()
    return menu
  }

  /// An id that nothing else in the menu has, of whatever kind.
  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  mutating func translate(_ entity: Entity, _ id: Int, name: Word, details: Word? = nil) {
    menu.translations.append(
      Translation(
        locale: "en-US", entity: entity, entityID: id, name: name.english,
        details: details?.english))
  }

  /// One element of a list that has at least one.
  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[random.below(elements.count)]
  }

  /// Sentences of a description, until it is as long as those of public menus: 127 letters on
  /// average.
  mutating func appendPhrases(_ phrases: [Word]) {
    let length = 92 + random.below(40)
    var index = random.below(phrases.count)
    var left = phrases.count
    while text.length < length, left > 0 {
      if text.length > 0 { text.append(" ", " ") }
      text.append(phrases[index])
      text.append(".", ".")
      index = (index + 5) % phrases.count
      left -= 1
    }
  }

  /// An image's name: 32 hexadecimal digits, as content-addressed pictures have.
  mutating func image() -> String {
    let words = [random.next(), random.next()]
    return String(unsafeUninitializedCapacity: 37) { bytes in
      var end = 0
      for word in words {
        for shift in stride(from: 60, through: 0, by: -4) {
          let digit = UInt8(truncatingIfNeeded: word >> UInt64(shift)) & 15
          bytes[end] = digit < 10 ? 0x30 + digit : 0x57 + digit
          end += 1
        }
      }
      for byte in ".webp".utf8 {
        bytes[end] = byte
        end += 1
      }
      return end
    }
  }

  private mutating func reserveTranslations() {
    menu.translations.reserveCapacity(
      menu.translations.count + shape.products + shape.combos + shape.slots)
  }
}

extension Menu {
  /// Generates the menu of a shape: Russian, with English translations; ``validate()`` accepts it.
  ///
  /// Equal shapes give equal menus, to the byte, in every process and on every platform. Embedded
  /// products and repeated options share their memory until somebody changes them. Linear in what
  /// the menu holds.
  public init(shape: MenuShape) {
    var generator = MenuGenerator(shape)
    self = generator.generate()
  }
}
