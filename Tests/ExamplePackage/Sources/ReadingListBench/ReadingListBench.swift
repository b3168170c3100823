import BenchCLI

/// All of MenuBench's commands, over our own document and our own backend next to theirs.
@main
enum ReadingListBench: BenchApp {
  static let suite = Suite<ReadingList>(
    backends: [.json, .plist, .lines, .memory], codecs: [.lines], places: [.lmdb],
    workloads: [RoundTripWorkload()],
    source: ReadingListSource())
}
