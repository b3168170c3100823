/// What an app needs of its backend, as weights on what is measured.
package struct Need: Sendable {
  /// What is typed after `--for`.
  package let id: String
  /// Who has it, in one line.
  package let summary: String
  /// What counts, and how much.
  package let weights: [Weight]

  package init(id: String, summary: String, weights: [Weight]) {
    self.id = id
    self.summary = summary
    self.weights = weights
  }
}

/// The needs that are known: the one place that says which costs each weighs.
extension Need {
  /// Every need, in the order to list them in.
  package static let all = [launch, catalogue, offline, frequentUpdates]

  /// What every need pays whatever its screens do: the heap at its peak and the file at rest, a tenth
  /// each. A phone ends apps for the one and shows its owner the other.
  private static let footprint = [
    Weight(.metric("peak_heap_bytes"), 1), Weight(.metric("stored_bytes"), 1),
  ]

  /// The first screen of a fresh process is what everybody waits for, the rest of the menu what some
  /// scroll to.
  package static let launch = Need(
    id: "launch", summary: "the menu must show soon after the app starts",
    weights: [
      Weight(.cost(workload: "first-menu", name: "first-screen"), 5),
      Weight(.cost(workload: "first-menu", name: "whole-menu"), 3),
    ] + footprint)

  /// Products and combos are opened one at a time, far more often than anybody searches.
  package static let catalogue = Need(
    id: "catalogue", summary: "a large menu is browsed, a product or a combo at a time",
    weights: [
      Weight(.workload("product"), 3), Weight(.workload("combo"), 3),
      Weight(.workload("search"), 2),
    ] + footprint)

  /// Edits and their merge with the server come first; both are small changes, made while screens
  /// read.
  package static let offline = Need(
    id: "offline", summary: "the app edits and merges without a network",
    weights: [
      Weight(.workload("offline"), 4), Weight(.workload("patch"), 2),
      Weight(.workload("contention"), 2),
    ] + footprint)

  /// Stop lists every few minutes: small changes most of all, whole menus now and then, while screens
  /// read; and a file that does not grow with them, which is the file at rest here.
  package static let frequentUpdates = Need(
    id: "frequent-updates", summary: "prices and stop lists change all day",
    weights: [
      Weight(.workload("patch"), 4), Weight(.workload("contention"), 2),
      Weight(.workload("replace"), 2), Weight(.metric("peak_heap_bytes"), 1),
      Weight(.figure(workload: "replace", phase: "replace", metric: "stored_bytes"), 1),
    ])
}
