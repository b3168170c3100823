/// How many options each slot shows, and how many different lists there are of each length.
///
/// Counted from a public menu of a real store: of 31 slots 7 show 2 to 5 options and 24 show 22. A
/// plan keeps those proportions and hits the total exactly; where slots are too short on average, or
/// products too few for the long lists that this takes, all slots show the average.
struct OptionPlan {
  /// Slots that show the same number of options.
  struct Group: Equatable {
    let length: Int
    let slots: Int
    var lists = 1
  }

  /// The lengths of a real store's short lists: 32 options in every seven slots.
  private static let shortLengths = [5, 5, 5, 5, 5, 5, 2, 5, 4, 5, 3, 5, 5, 5]
  static let longestShort = 5

  /// One group a length, the long lists first.
  private(set) var groups: [Group]

  init(_ shape: MenuShape) {
    let isLongEnough = shape.options >= 8 * shape.slots
    groups = Self.groups(shape, short: isLongEnough ? shape.slots * 7 / 31 : 0)
    if groups.contains(where: { $0.length > shape.products }) {
      groups = Self.groups(shape, short: 0)
    }
    share(wanted: (shape.slots * 49 / 31).squareRoot, among: shape.slots)
  }

  var lists: Int { groups.reduce(0) { $0 + $1.lists } }

  private static func groups(_ shape: MenuShape, short: Int) -> [Group] {
    let short = shortGroups(short)
    let slots = shape.slots - short.reduce(0) { $0 + $1.slots }
    let options = shape.options - short.reduce(0) { $0 + $1.slots * $1.length }
    let (length, longer) = options.quotientAndRemainder(dividingBy: slots)
    let long = [
      Group(length: length + 1, slots: longer), Group(length: length, slots: slots - longer),
    ]
    return (long + short).filter { $0.slots > 0 }
  }

  private static func shortGroups(_ slots: Int) -> [Group] {
    let (rounds, rest) = slots.quotientAndRemainder(dividingBy: shortLengths.count)
    return (2...longestShort).reversed().map { length in
      let inRound = shortLengths.count { $0 == length }
      let inRest = shortLengths.prefix(rest).count { $0 == length }
      return Group(length: length, slots: rounds * inRound + inRest)
    }
  }

  /// Gives every length one list, and the lengths of many slots more of them.
  private mutating func share(wanted: Int, among slots: Int) {
    let further = max(0, wanted - groups.count)
    var left = further
    for index in groups.indices {
      let fair = min(further * groups[index].slots / slots, groups[index].slots - 1)
      groups[index].lists += fair
      left -= fair
    }
    for index in groups.indices {
      let more = min(left, groups[index].slots - groups[index].lists)
      groups[index].lists += more
      left -= more
    }
  }
}

extension Int {
  /// The whole part of the square root, by Newton's method on whole numbers; 0 for negatives.
  var squareRoot: Int {
    guard self > 1 else { return Swift.max(self, 0) }
    var root = self
    var next = (root + 1) / 2
    while next < root {
      root = next
      next = (root + self / root) / 2
    }
    return root
  }
}
