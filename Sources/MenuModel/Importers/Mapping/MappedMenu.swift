import Basics
import Foundation

/// Makes a menu of a foreign file, as a mapping says.
///
/// Ids are counted from 1 in the order of the file, whatever theirs look like. What there is no list of
/// is made of what refers to it: ingredients and categories are then called by their references.
struct MappedMenu {
  let mapping: MenuMapping.Section
  let values: MappedValues
  var notes = ImportNotes()
  var menu = Menu(id: 1, revision: 1, locale: "", currency: "", city: "")
  var ids: [Noun: Keys] = [:]
  var variants: [String: [VariantPlace]] = [:]

  /// The ids that were given to the keys of one kind of things.
  struct Keys {
    var ids: [String: Int] = [:]
    var last = 0

    mutating func next(_ key: String?) -> Int {
      last += 1
      if let key { ids[key] = last }
      return last
    }
  }

  struct VariantPlace {
    var product: Int
    var variant: Int
  }

  private init(_ mapping: MenuMapping, _ tree: JSONTree) {
    self.mapping = mapping.menu
    values = MappedValues(tree)
  }

  /// Reads a menu; its references within are checked by the caller as well.
  ///
  /// - Throws: ``MappingProblem``.
  static func menu(_ mapping: MenuMapping, _ tree: JSONTree) throws -> ImportedMenu {
    var reader = MappedMenu(mapping, tree)
    try reader.read()
    return ImportedMenu(menu: reader.menu, format: "mapped", notes: reader.notes.lines)
  }

  mutating func read() throws {
    try addHeader()
    try addIngredients()
    let options = try addModifierGroups()
    try nestModifierGroups(options)
    try addCategories()
    if let products = mapping.sections["products"] {
      try addProducts(products, in: JSONTree.root, category: nil)
    }
    try addOptionLists()
    try addCombos()
    try addStopList()
    try addStoreOverrides()
    try values.refuseIdlePaths()
    values.addLeftovers(to: &notes)
  }

  mutating func addHeader() throws {
    let root = JSONTree.root
    menu.locale = try needed(mapping, "locale", of: root) { try values.text($0, of: root) }
    menu.currency = try needed(mapping, "currency", of: root) { try values.text($0, of: root) }
    values.minorDigits = Self.minorDigits[menu.currency] ?? 2
    menu.id = try values.whole(mapping.fields["id"], of: root) ?? 1
    menu.revision = try values.whole(mapping.fields["revision"], of: root) ?? 1
    menu.city = try values.text(mapping.fields["city"], of: root) ?? ""
  }

  /// Currencies whose minor unit is no hundredth (ISO 4217).
  private static let minorDigits = [
    "BIF": 0, "CLP": 0, "DJF": 0, "GNF": 0, "ISK": 0, "JPY": 0, "KMF": 0, "KRW": 0, "PYG": 0,
    "RWF": 0, "UGX": 0, "UYI": 0, "VND": 0, "VUV": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BHD": 3,
    "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3,
  ]

  // MARK: ids

  /// A value that every thing of a kind has.
  func needed<Value>(
    _ section: MenuMapping.Section, _ key: String, of thing: Int,
    _ read: (MenuMapping.Field) throws -> Value?
  ) throws -> Value {
    guard let field = section.fields[key] else {
      throw MappingProblem(
        line: section.line, subject: section.subject, fault: .missing(key: key))
    }
    guard let value = try read(field) else { throw values.nothing(field, in: thing) }
    return value
  }

  /// A new thing's id.
  mutating func newID(
    _ noun: Noun, _ section: MenuMapping.Section, of thing: Int
  ) throws -> Int {
    guard let field = section.fields["id"] else { return ids[noun, default: Keys()].next(nil) }
    guard let found = try values.found(field, of: thing, MappedValues.labelWords),
      let key = MappedValues.label(found.scalar)
    else { throw values.nothing(field, in: thing) }
    guard ids[noun]?.ids[key] == nil else {
      throw values.problem(
        field,
        .findsAgain(path: field.path, key: key, at: values.place(of: found), kind: noun.one))
    }
    return ids[noun, default: Keys()].next(key)
  }

  /// The id of what a value refers to; made where the mapping has no list of such things.
  mutating func id(
    of noun: Noun, _ field: MenuMapping.Field, _ found: MappedValues.Found,
    orMake make: ((inout Self, Int, String) -> Void)? = nil
  ) throws -> Int {
    guard let key = MappedValues.label(found.scalar) else {
      throw values.other(field, found, MappedValues.labelWords)
    }
    if let id = ids[noun]?.ids[key] { return id }
    guard let make else {
      throw values.problem(
        field,
        .findsNoSuch(path: field.path, key: key, at: values.place(of: found), kind: noun.one))
    }
    let id = ids[noun, default: Keys()].next(key)
    make(&self, id, key)
    return id
  }

  /// The thing that a field refers to; nil where nothing is found.
  mutating func reference(
    _ noun: Noun, _ field: MenuMapping.Field?, of thing: Int
  ) throws -> Int? {
    guard let field, let found = try values.found(field, of: thing, MappedValues.labelWords)
    else { return nil }
    return try id(of: noun, field, found)
  }

  mutating func ingredient(
    _ section: MenuMapping.Section, of thing: Int
  ) throws -> Int {
    let (field, found) = try needed(section, "ingredient", of: thing) { field in
      try values.found(field, of: thing, MappedValues.labelWords).map { (field, $0) }
    }
    guard mapping.sections["ingredients"] == nil else {
      return try id(of: .ingredient, field, found)
    }
    return try id(of: .ingredient, field, found) { reader, id, name in
      reader.menu.ingredients.append(Ingredient(id: id, name: name))
    }
  }

  mutating func category(_ section: MenuMapping.Section, of thing: Int) throws -> Int {
    guard let field = section.fields["category"] else {
      notes.add(Self.homeless)
      if let id = ids[.category]?.ids[""] { return id }
      let id = ids[.category, default: Keys()].next("")
      menu.categories.append(Category(id: id, name: "Menu"))
      return id
    }
    guard let found = try values.found(field, of: thing, MappedValues.labelWords)
    else { throw values.nothing(field, in: thing) }
    guard mapping.sections["categories"] == nil else { return try id(of: .category, field, found) }
    return try id(of: .category, field, found) { reader, id, name in
      reader.menu.categories.append(Category(id: id, name: name))
    }
  }

  private static let homeless = Finding(
    "product has no category and stands in one called Menu",
    many: "products have no category and stand in one called Menu")

  // MARK: kitchen

  mutating func addIngredients() throws {
    guard let section = mapping.sections["ingredients"] else { return }
    for thing in try values.things(section, .ingredient, in: JSONTree.root) {
      menu.ingredients.append(
        Ingredient(
          id: try newID(.ingredient, section, of: thing),
          code: try values.label(section.fields["code"], of: thing), name: try name(section, thing))
      )
    }
  }

  func name(_ section: MenuMapping.Section, _ thing: Int) throws -> String {
    try needed(section, "name", of: thing) { try values.text($0, of: thing) }
  }

  /// The groups, and where the options of each stand in the file.
  mutating func addModifierGroups() throws -> [[Int]] {
    guard let section = mapping.sections["modifierGroups"] else { return [] }
    var places: [[Int]] = []
    for thing in try values.things(section, .modifierGroup, in: JSONTree.root) {
      let id = try newID(.modifierGroup, section, of: thing)
      let (options, things) = try modifierOptions(section.sections["options"], of: thing)
      places.append(things)
      let fewest = try values.whole(section.fields["min"], of: thing) ?? 0
      menu.modifierGroups.append(
        ModifierGroup(
          id: id, name: try name(section, thing), min: fewest,
          max: try values.whole(section.fields["max"], of: thing) ?? max(fewest, options.count),
          free: try values.whole(section.fields["free"], of: thing) ?? 0,
          isRequired: try values.truth(section.fields["isRequired"], of: thing) ?? (fewest > 0),
          options: options))
    }
    return places
  }

  mutating func modifierOptions(
    _ section: MenuMapping.Section?, of group: Int
  ) throws -> (options: [ModifierOption], things: [Int]) {
    guard let section else { return ([], []) }
    let things = try values.things(section, Noun("modifier"), in: group)
    let options = try things.map { thing in
      ModifierOption(
        ingredientID: try ingredient(section, of: thing),
        prices: try prices(section.sections["prices"], of: thing))
    }
    return (options, things)
  }

  /// An option may lead to a group that comes behind its own.
  mutating func nestModifierGroups(_ places: [[Int]]) throws {
    let section = mapping.sections["modifierGroups"]?.sections["options"]
    guard let field = section?.fields["modifierGroups"] else { return }
    for (group, things) in places.enumerated() {
      for (option, thing) in things.enumerated() {
        menu.modifierGroups[group].options[option].modifierGroupIDs = try references(
          .modifierGroup, field, of: thing)
      }
    }
  }

  func prices(_ section: MenuMapping.Section?, of thing: Int) throws -> [SizePrice] {
    guard let section else { return [] }
    return try values.things(section, Noun("price"), in: thing).map { thing in
      SizePrice(
        size: try needed(section, "size", of: thing) { try values.label($0, of: thing) },
        price: try price(section, thing))
    }
  }

  func price(_ section: MenuMapping.Section, _ thing: Int) throws -> Int {
    try needed(section, "price", of: thing) { try values.price($0, of: thing) }
  }

  mutating func addCategories() throws {
    guard let section = mapping.sections["categories"] else { return }
    let things = try values.things(section, .category, in: JSONTree.root)
    for thing in things {
      menu.categories.append(
        Category(id: try newID(.category, section, of: thing), name: try name(section, thing)))
    }
    // A category may stand before the one that it is in.
    for (position, thing) in things.enumerated() {
      menu.categories[position].parentID = try reference(
        .category, section.fields["parent"], of: thing)
      if let products = section.sections["products"] {
        try addProducts(products, in: thing, category: menu.categories[position].id)
      }
    }
  }

  mutating func addStoreOverrides() throws {
    guard let section = mapping.sections["storeOverrides"] else { return }
    for thing in try values.things(section, Noun("store override"), in: JSONTree.root) {
      let product = try reference(.product, section.fields["product"], of: thing)
      let variant = try variant(section.fields["variant"], of: thing, product: product)
      let combo = try reference(.combo, section.fields["combo"], of: thing)
      let (entity, id): (Entity, Int?) =
        if let variant { (.variant, variant.variant) } else if let product {
          (.product, product)
        } else { (.combo, combo) }
      guard let id else {
        throw MappingProblem(
          line: section.line, subject: section.subject,
          fault: .findsNothing(
            path: "product, variant or combo", at: values.tree.place(of: thing),
            there: values.tree.words(for: thing)))
      }
      menu.storeOverrides.append(
        StoreOverride(
          storeID: try needed(section, "store", of: thing) { try values.whole($0, of: thing) },
          entity: entity, entityID: id,
          price: try values.price(section.fields["price"], of: thing),
          availability: try values.choice(section.fields["availability"], of: thing)))
    }
  }

  mutating func addStopList() throws {
    guard let section = mapping.sections["stopList"] else { return }
    let noun = Noun("stop list entry", many: "stop list entries")
    for thing in try values.things(section, noun, in: JSONTree.root) {
      let product = try reference(.product, section.fields["product"], of: thing)
      let variant = try variant(section.fields["variant"], of: thing, product: product)
      let ingredient = try reference(.ingredient, section.fields["ingredient"], of: thing)
      let (entity, id): (Entity, Int?) =
        if let variant { (.variant, variant.variant) } else if let product {
          (.product, product)
        } else { (.ingredient, ingredient) }
      guard let id else {
        throw MappingProblem(
          line: section.line, subject: section.subject,
          fault: .findsNothing(
            path: "product, variant or ingredient", at: values.tree.place(of: thing),
            there: values.tree.words(for: thing)))
      }
      menu.stopList.append(
        StopListEntry(
          entity: entity, entityID: id,
          until: try values.text(section.fields["until"], of: thing)))
    }
  }
}
