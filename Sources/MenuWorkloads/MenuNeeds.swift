import BenchResults

/// The needs of ordering apps: the one place that says which costs each need weighs.
extension NeedInfo {
  /// Every need, in the order to list them in.
  package static let ofMenus = [launch, catalogue, offline, frequentUpdates]

  /// What every need pays whatever its screens do: the heap at its peak and the file at rest, a tenth
  /// each. A phone ends apps for the one and shows its owner the other.
  private static let footprint = [(key: "peak_heap_bytes", weight: 1.0), ("stored_bytes", 1)]

  /// The first screen of a fresh process is what everybody waits for, the rest of the menu what some
  /// scroll to.
  private static let launch = NeedInfo(
    id: "launch", summary: "the menu must show soon after the app starts",
    weights: [("first-menu/first-screen", 5), ("first-menu/whole-menu", 3)]
      + footprint)

  /// Products and combos are opened one at a time, far more often than anybody searches.
  private static let catalogue = NeedInfo(
    id: "catalogue", summary: "a large menu is browsed, a product or a combo at a time",
    weights: [("product", 3), ("combo", 3), ("search", 2)] + footprint)

  /// Edits and their merge with the server come first; both are small changes, made while screens
  /// read.
  private static let offline = NeedInfo(
    id: "offline", summary: "the app edits and merges without a network",
    weights: [("offline", 4), ("patch", 2), ("contention", 2)] + footprint)

  /// Stop lists every few minutes: small changes most of all, whole menus now and then, while screens
  /// read; and a file that does not grow with them, which is the file at rest here.
  private static let frequentUpdates = NeedInfo(
    id: "frequent-updates", summary: "prices and stop lists change all day",
    weights: [
      ("patch", 4), ("contention", 2), ("replace", 2),
      ("peak_heap_bytes", 1), ("replace/replace/stored_bytes", 1),
    ])
}
