import BenchAnalysis
import BenchHarness
import Foundation
import MenuModel

/// Sizes each as many times the one before, both ends among them, each once.
struct SizeGrid: Hashable {
  /// How many there may be: three say whether growth bends.
  static let points = GrowthCurve.fewestSizes...50

  /// The sizes in ascending order.
  let sizes: [Int]

  init(from: Int, to: Int, points: Int) {
    let step = log(Double(to) / Double(from)) / Double(points - 1)
    let inner = (1..<(points - 1)).map { Int((Double(from) * exp(Double($0) * step)).rounded()) }
    sizes = Set([from] + inner + [to]).sorted()
  }

  /// The menus of a menu's proportions that come nearest to these sizes, each once.
  ///
  /// - Throws: a ``CLIError`` where the menu cannot be had in other sizes, in one of these, or where
  ///   too few differ; what the source throws for a name that means nothing.
  func menus<Document: BenchDocument>(
    like name: String, from source: any DocumentSource<Document>
  ) throws -> [String] {
    guard try source.split(name).count == 1 else {
      throw CLIError(
        "--menu \(name) names several menus", help: "give the one whose proportions all sizes have",
        status: .usage)
    }
    let sized = sizes.map { (size: $0, name: source.sized(name, at: $0)) }
    if sized.allSatisfy({ $0.name == nil }) {
      _ = try source.load(name)
      throw CLIError(
        "\(name) cannot be had in other sizes",
        help: "give a generated menu with --menu: see bench list menus", status: .usage)
    }
    if let missing = sized.first(where: { $0.name == nil }) {
      throw CLIError(
        "\(name) cannot be had with \(missing.size) slot options: no menu is that large",
        help: "give a smaller --to, or another --menu", status: .usage)
    }
    var seen: Set<String> = []
    let names = sized.compactMap(\.name).filter { seen.insert($0).inserted }
    guard names.count >= GrowthCurve.fewestSizes else {
      throw CLIError(
        "\(sizes[0]) to \(sizes[sizes.count - 1]) slot options come to \(names.count) menus of the"
          + " proportions of \(name), and growth takes \(GrowthCurve.fewestSizes)",
        help: "give --from and --to further apart", status: .usage)
    }
    return names
  }
}
