import ArgumentParser
import Basics
import BenchAnalysis
import BenchDocuments
import BenchEngine
import BenchReports
import BenchResults
import Foundation

struct ScaleCommand<App: BenchApp>: AsyncParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "scale",
      abstract: "Measures how costs grow with the menu, and when another backend becomes cheaper.",
      discussion: "Example: bench scale --backend json,sqlite --from 100 --to 100000")
  }

  @OptionGroup(title: "Selection") var selection: ScaleSelection<App.Document>
  @OptionGroup var sideBySide: SideBySideOptions

  func run() async throws {
    _ = try await sideBySide.report("scale", unless: selection.given) {
      () throws -> SideBySideOptions.Plan in
      let names = try selection.grid().menus(like: selection.cells.menus, from: App.suite.source)
      let chosen = try Selection(selection.cells).resolve(in: App.suite, menus: names)
      return (chosen, sideBySide.limits.seconds(for: chosen.cells))
    } analyse: { record throws -> ScaleReport in
      let scale = ScaleReport(record: record)
      try checkHasSizes(scale)
      return scale
    }
  }

  /// Refuses a run of one size, which shows no growth.
  private func checkHasSizes(_ scale: ScaleReport) throws {
    guard scale.menus.count < 2 else { return }
    throw CLIError(
      "\(sideBySide.storedRun ?? "") holds menus of only one size",
      help: "measure several: bench scale, or bench run --menu small,medium,large",
      status: .unmeasured)
  }
}

/// The cells and sizes to measure, as typed. Nil means not given.
struct ScaleSelection<Document: BenchDocument>: ParsableArguments {
  /// The sizes that a menu may have. With the largest, a worker holds about 0.3 GB before it stores
  /// anything, and 1 GB while it encodes JSON.
  static var sizes: ClosedRange<Int> { 1...1_000_000 }

  @OptionGroup var cells: CellOptions

  @Option(
    parsing: .unconditional, help: "The smallest menu, in \(Document.sizeNoun). (default: 100)")
  var from: Int?

  @Option(
    parsing: .unconditional, help: "The largest menu, in \(Document.sizeNoun). (default: 100000)")
  var to: Int?

  @Option(
    parsing: .unconditional,
    help: "Number of sizes, spaced geometrically from --from to --to. (default: 7)")
  var points: Int?

  /// The options given that only make sense for measuring.
  var given: [String] {
    cells.given
      + [("--from", from != nil), ("--to", to != nil), ("--points", points != nil)]
      .filter(\.1).map(\.0)
  }

  func grid() throws -> SizeGrid {
    let (from, to, points) = (from ?? 100, to ?? 100_000, points ?? 7)
    try refuse("--from", from, outside: Self.sizes)
    try refuse("--to", to, outside: Self.sizes)
    try refuse("--points", points, outside: SizeGrid.points)
    guard from < to else {
      throw CLIError(
        "--from \(from) is not below --to \(to)",
        help: "give the smallest size with --from and the largest with --to", status: .usage)
    }
    return SizeGrid(from: from, to: to, points: points)
  }
}

extension BenchDocument {
  /// The unit in which its size is counted.
  fileprivate static var sizeNoun: String { sizedBy ?? "things in all" }
}

/// Sizes in a geometric sequence with both ends, without repetition.
struct SizeGrid: Hashable {
  /// The number of sizes allowed. At least three are needed to show whether growth bends.
  static let points = GrowthCurve.fewestSizes...50

  /// The sizes in ascending order.
  let sizes: [Int]

  init(from: Int, to: Int, points: Int) {
    let step = log(Double(to) / Double(from)) / Double(points - 1)
    let inner = (1..<(points - 1)).map { Int((Double(from) * exp(Double($0) * step)).rounded()) }
    sizes = Set([from] + inner + [to]).sorted()
  }

  /// Returns the menus of a menu's proportions that come closest to these sizes, without repetition.
  func menus<Document: BenchDocument>(
    like name: String, from source: any DocumentSource<Document>
  ) throws -> [String] {
    guard try source.split(name).count == 1 else {
      throw CLIError(
        "--menu '\(name)' names several menus", help: "give one, from which all sizes are made",
        status: .usage)
    }
    let sized = sizes.map { (size: $0, name: source.sized(name, at: $0)) }
    if sized.allSatisfy({ $0.name == nil }) {
      _ = try source.load(name)
      throw CLIError(
        "'\(name)' cannot have other sizes",
        help: "give a generated menu with --menu: see bench list menus", status: .usage)
    }
    if let missing = sized.first(where: { $0.name == nil }) {
      throw CLIError(
        "'\(name)' cannot have \(missing.size) \(Document.sizeNoun): no menu is that large",
        help: "give a smaller --to, or another --menu", status: .usage)
    }
    let names = sized.compactMap(\.name).distinct
    guard names.count >= GrowthCurve.fewestSizes else {
      throw CLIError(
        "\(sizes[0]) to \(sizes[sizes.count - 1]) \(Document.sizeNoun) give \(names.count) of the"
          + " \(GrowthCurve.fewestSizes) menus that growth needs, in the proportions of \(name)",
        help: "give --from and --to further apart", status: .usage)
    }
    return names
  }
}
