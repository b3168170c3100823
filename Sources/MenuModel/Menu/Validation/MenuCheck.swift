/// One search for the problems of a menu.
///
/// Paths and messages of what menus hold most of are made for problems only, and nothing is looked
/// at once there are enough.
struct MenuCheck {
  let menu: Menu
  let index: MenuIndex
  private let limit: Int
  private(set) var problems: [MenuProblem] = []

  init(_ menu: Menu, limit: Int) {
    self.menu = menu
    self.limit = limit
    index = MenuIndex(menu)
  }

  var isFull: Bool { problems.count >= limit }

  mutating func run() {
    checkCategories()
    checkIngredients()
    checkModifierGroups()
    checkProducts()
    checkCombos()
    checkStopList()
    checkTranslations()
  }

  /// Notes a problem unless the condition holds.
  mutating func expect(
    _ condition: Bool, _ path: @autoclosure () -> String, _ message: @autoclosure () -> String
  ) {
    guard !condition, !isFull else { return }
    problems.append(MenuProblem(path: path(), message: message()))
  }

  /// Notes a thing whose id an earlier thing of its kind has.
  mutating func expectFirst(
    _ position: Int, in positions: [Int: Int], _ kind: String, _ id: Int, _ list: String
  ) {
    guard let first = positions[id], first != position else { return }
    expect(false, "\(list)[\(position)]", "\(kind) \(id) is already at \(list)[\(first)]")
  }

  mutating func expectCount(_ count: Int, _ name: String, _ path: @autoclosure () -> String) {
    expect(count >= 0, path(), "\(name) \(count) is below zero")
  }

  mutating func expectOrder(_ min: Int, _ max: Int, _ path: @autoclosure () -> String) {
    expectCount(min, "min", path())
    expectCount(max, "max", path())
    expect(min <= max, path(), "min \(min) is above max \(max)")
  }

  /// Notes every element that equals an earlier one; linear, without a set for the usual few.
  mutating func expectDifferent<Value: Hashable>(
    _ values: [Value], _ path: (Int) -> String, _ message: (Value) -> String
  ) {
    guard values.count > 1 else { return }
    var seen: Set<Value> = []
    for (position, value) in values.enumerated() {
      let isFirst =
        values.count <= 8
        ? !values[..<position].contains(value) : seen.insert(value).inserted
      expect(isFirst, path(position), message(value))
    }
  }
}
