extension MenuGenerator {
  /// Products in the order of kinds; the mix is a real store's at its size.
  mutating func addProducts(on shelves: [[Int]], groups: [GroupFamilies]) {
    menu.products.reserveCapacity(shape.products)
    for (kind, range) in shape.productRanges.enumerated() {
      let style = ProductStyle.all[kind].style
      var ingredients = ingredients(of: style)
      for index in 0..<range.count {
        addProduct(index, style, on: shelves[kind], groups: groups[kind], from: &ingredients)
      }
    }
  }

  private mutating func addProduct(
    _ index: Int, _ style: ProductStyle, on shelves: [Int], groups: GroupFamilies,
    from deck: inout Deck
  ) {
    let ingredients = deck.draw(random.within(style.ingredients), using: &random)
    style.names.append(index, to: &text)
    let name = text.take()
    appendIngredients(ingredients)
    appendPhrases(style.phrases)
    let details = text.take()
    let product = Product(
      id: nextID(), categoryID: pick(shelves), kind: style.kind, name: name.russian,
      details: details.russian, tags: tags(), availability: availability(),
      variants: variants(index, style),
      ingredients: ingredients.map {
        ProductIngredient(ingredientID: menu.ingredients[$0].id, isRemovable: !random.once(in: 3))
      },
      modifierGroupIDs: groups.ids.map { pick($0) })
    menu.products.append(product)
    translate(.product, product.id, name: name, details: details)
  }

  private mutating func appendIngredients(_ ingredients: ArraySlice<Int>) {
    var names = NameSeries(
      heads: Words.ingredients, additions: Words.qualities, before: Word(" ", " "))
    names.between = names.before
    text.append("Состав: ", "Made of ")
    for (place, ingredient) in ingredients.prefix(4).enumerated() {
      if place > 0 { text.append(", ", ", ") }
      names.append(ingredient, to: &text)
    }
    text.append(".", ".")
  }

  /// None to two of the labels that apps filter by.
  private mutating func tags() -> [String] {
    let tags = ["new", "spicy", "hit", "vegetarian", "kids", "meat"]
    let first = random.below(tags.count)
    return switch random.below(4) {
    case 0: [tags[first], tags[(first + 2) % tags.count]]
    case 1: [tags[first]]
    default: []
    }
  }

  private mutating func availability() -> Product.Availability {
    switch random.below(40) {
    case 0: .hidden
    case 1, 2: .comboOnly
    default: .available
    }
  }
}

extension MenuShape {
  /// The positions of each kind's products, in the order of ``ProductStyle/all``.
  var productRanges: [Range<Int>] {
    let total = ProductStyle.all.reduce(0) { $0 + $1.share }
    var before = 0
    return ProductStyle.all.map { _, share in
      let start = (products * before + total - 1) / total
      before += share
      return start..<(products * before + total - 1) / total
    }
  }
}
