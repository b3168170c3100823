import BenchAnalysis

/// What `bench compare --for` knows: the one place that says which costs an app's need weighs.
extension Need {
  /// Every need, in the order to list them in.
  static let all = [launch, catalogue, offline, frequentUpdates]

  /// The first screen of a fresh process is what everybody waits for, the rest of the menu what some
  /// scroll to; the file's size is what a download or a backup pays.
  static let launch = Need(
    id: "launch", summary: "the menu must show soon after the app starts",
    weights: [
      Weight(.cost(workload: "first-menu", name: "first-screen"), 6),
      Weight(.cost(workload: "first-menu", name: "whole-menu"), 3),
      Weight(.metric("stored_bytes"), 1),
    ])

  /// Products and combos are opened one at a time, far more often than anybody searches.
  static let catalogue = Need(
    id: "catalogue", summary: "a large menu is browsed, a product or a combo at a time",
    weights: [
      Weight(.workload("product"), 4), Weight(.workload("combo"), 4),
      Weight(.workload("search"), 2),
    ])

  /// Edits and their merge with the server come first; both are small changes, made while screens
  /// read.
  static let offline = Need(
    id: "offline", summary: "the app edits and merges without a network",
    weights: [
      Weight(.workload("offline"), 4), Weight(.workload("patch"), 3),
      Weight(.workload("contention"), 3),
    ])

  /// Stop lists every few minutes: small changes most of all, whole menus now and then, while screens
  /// read; and a file that does not grow with them.
  static let frequentUpdates = Need(
    id: "frequent-updates", summary: "prices and stop lists change all day",
    weights: [
      Weight(.workload("patch"), 4), Weight(.workload("contention"), 3),
      Weight(.workload("replace"), 2),
      Weight(.figure(workload: "replace", phase: "replace", metric: "stored_bytes"), 1),
    ])
}
