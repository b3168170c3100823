import BenchCLI

/// All of MenuBench's commands over its menus, with our own backend beside all of theirs.
@main
enum OurMenuBench: BenchApp {
  static let suite = Suite(
    backends: BackendRegistry.all + [.sortedJSON], workloads: WorkloadRegistry.all,
    source: MenuSource())
}
