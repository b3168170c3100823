import BenchResults

/// The needs of ordering apps. Only this file sets the weight of each cost for each need.
extension NeedInfo {
  /// All needs, in the order in which they are listed.
  package static let ofMenus = [refresh, launch, catalogue, offline, frequentUpdates]

  /// The costs that count for every need: the peak of the heap and the file at rest, a tenth each.
  /// A phone ends apps that use much memory, and shows its owner the size of files.
  private static let footprint = [(key: "peak_heap_bytes", weight: 1.0), ("stored_bytes", 1)]

  /// A start shows the stored menu, then the fetched one, which is stored while the user reads it.
  /// Parsing the response does not count, because any storage can be used with any parser.
  private static let refresh = NeedInfo(
    id: "refresh", summary: "the stored menu shows first, and a fetched one is stored behind",
    weights: [("launch-flow/store", 3), ("first-menu/first-screen", 5)] + footprint)

  /// Every user waits for the first screen of a fresh process. Only some scroll to the rest of the
  /// menu.
  private static let launch = NeedInfo(
    id: "launch", summary: "the menu must show soon after the app starts",
    weights: [("first-menu/first-screen", 5), ("first-menu/whole-menu", 3)]
      + footprint)

  /// Users open products and combos one at a time, and search far less often.
  private static let catalogue = NeedInfo(
    id: "catalogue", summary: "a large menu is browsed, a product or a combo at a time",
    weights: [("product", 3), ("combo", 3), ("search", 2)] + footprint)

  /// Edits and their merge with the server weigh most. Both are small changes, made while screens
  /// read.
  private static let offline = NeedInfo(
    id: "offline", summary: "the app edits and merges without a network",
    weights: [("offline", 4), ("patch", 2), ("contention", 2)] + footprint)

  /// Stop lists change every few minutes: mostly small changes, sometimes whole menus, while
  /// screens read. The file must not grow with them, so its size at rest is that after `replace`.
  private static let frequentUpdates = NeedInfo(
    id: "frequent-updates", summary: "prices and stop lists change all day",
    weights: [
      ("patch", 4), ("contention", 2), ("replace", 2),
      ("peak_heap_bytes", 1), ("replace/replace/stored_bytes", 1),
    ])
}
