import ArgumentParser

/// What to set side by side, as typed; nil where nothing was.
struct CompareSelection: ParsableArguments {
  @Option(help: "Backends, or all: see bench list backends. (default: all)")
  var backend: String?

  @Option(
    help: """
      Menus; of a generated one alone a smaller and a larger are measured too, where something is \
      to be recommended. (default: large)
      """)
  var menu: String?

  @Option(help: "Workloads, or all: see bench list workloads. (default: all)")
  var workload: String?

  @Option(help: "none, atomic or durable. (default: each workload's own)")
  var durability: String?

  @Flag(help: "Measure no other sizes of the menu.")
  var oneSize = false

  /// What to measure, with the defaults filled in.
  var selection: Selection {
    var selection = Selection()
    selection.backend = backend ?? "all"
    selection.menu = menu ?? "large"
    selection.workload = workload ?? "all"
    selection.durability = durability
    selection.metrics = "all"
    return selection
  }

  /// The options given that only make sense for measuring.
  var given: [String] {
    let options = [
      ("--backend", backend), ("--menu", menu), ("--workload", workload),
      ("--durability", durability), ("--one-size", oneSize ? "" : nil),
    ]
    return options.filter { $0.1 != nil }.map(\.0)
  }
}
