/// What an app needs of its storage, as weights on what is measured: the one place that says so.
public struct Need: Hashable, Sendable {
  /// What is typed after `--for`.
  public let id: String
  /// Who has it, in one line.
  public let summary: String
  /// What counts, and how much.
  public let weights: [Weight]

  /// Every need, in the order to list them in.
  public static let all = [launch, catalogue, offline, frequentUpdates]

  /// The first screen of a fresh process is what everybody waits for, the rest of the menu what some
  /// scroll to; the file's size is what a download or a backup pays.
  public static let launch = Need(
    id: "launch", summary: "the menu must show soon after the app starts",
    weights: [
      Weight(.cost(workload: "first-menu", name: "first-screen"), 6),
      Weight(.cost(workload: "first-menu", name: "whole-menu"), 3),
      Weight(.metric("stored_bytes"), 1),
    ])

  /// Products and combos are opened one at a time, far more often than anybody searches.
  public static let catalogue = Need(
    id: "catalogue", summary: "a large menu is browsed, a product or a combo at a time",
    weights: [
      Weight(.workload("product"), 4), Weight(.workload("combo"), 4),
      Weight(.workload("search"), 2),
    ])

  /// Edits and their merge with the server come first; both are small changes, made while screens
  /// read.
  public static let offline = Need(
    id: "offline", summary: "the app edits and merges without a network",
    weights: [
      Weight(.workload("offline"), 4), Weight(.workload("patch"), 3),
      Weight(.workload("contention"), 3),
    ])

  /// Stop lists every few minutes: small changes most of all, whole menus now and then, while screens
  /// read; and a file that does not grow with them.
  public static let frequentUpdates = Need(
    id: "frequent-updates", summary: "prices and stop lists change all day",
    weights: [
      Weight(.workload("patch"), 4), Weight(.workload("contention"), 3),
      Weight(.workload("replace"), 2),
      Weight(.figure(workload: "replace", phase: "replace", metric: "stored_bytes"), 1),
    ])
}

/// What a storage is chosen by.
public struct ChoiceQuestion: Hashable, Sendable {
  /// The need's id, where one was named.
  public var need: String?
  /// What counts, and how much.
  public var weights: [Weight]
  /// The promises that a storage must make.
  public var required: [String]
  /// Whether what keeps nothing may be recommended, too.
  public var takesVolatile: Bool

  /// Asks a question.
  public init(
    need: String? = nil, weights: [Weight], required: [String] = [], takesVolatile: Bool = false
  ) {
    self.need = need
    self.weights = weights
    self.required = required
    self.takesVolatile = takesVolatile
  }
}
