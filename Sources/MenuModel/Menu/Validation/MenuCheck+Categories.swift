extension MenuCheck {
  mutating func checkCategories() {
    for (position, category) in menu.categories.enumerated() where !isFull {
      expectFirst(position, in: index.categories, "category", category.id, "categories")
      if let parent = category.parentID {
        expect(
          index.categories[parent] != nil, "categories[\(position)]",
          "category \(parent) does not exist")
      }
    }
    checkCircles()
  }

  /// Walks up from every category and never twice over the same one, so that a long chain costs no
  /// more than its length; each circle is noted once, where the walk first meets it.
  private mutating func checkCircles() {
    var walkOf = [Int](repeating: -1, count: menu.categories.count)
    for start in menu.categories.indices where !isFull {
      var position = start
      while walkOf[position] < 0 {
        walkOf[position] = start
        guard let parent = menu.categories[position].parentID.flatMap({ index.categories[$0] })
        else { break }
        let id = menu.categories[parent].id
        expect(walkOf[parent] != start, "categories[\(parent)]", "category \(id) stands in itself")
        position = parent
      }
    }
  }

  mutating func checkIngredients() {
    for (position, ingredient) in menu.ingredients.enumerated() where !isFull {
      expectFirst(position, in: index.ingredients, "ingredient", ingredient.id, "ingredients")
    }
  }
}
