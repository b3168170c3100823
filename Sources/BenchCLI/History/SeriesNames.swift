import Basics
import BenchAnalysis
import BenchResults
import Foundation
import RunHistory

/// Selects series of a history by words: whole names, cells, or ids that must all be in a name.
struct SeriesNames {
  private let words: [String]
  private let takesAll: Bool

  /// - Parameter takesAll: Whether to include floors and controls that are not named.
  /// - Throws: a ``CLIError`` of status `noBaseline` if a word is in no name, or no series has all words.
  init(_ words: [String], in index: HistoryIndex, takesAll: Bool = false) throws {
    (self.words, self.takesAll) = (words, takesAll)
    let keys = try index.keys()
    let known = Set(keys.flatMap(Self.names))
    if let unknown = words.first(where: { !known.contains($0) }) {
      let ids = Set(keys.flatMap(\.ids)).sorted()
      throw CLIError(
        "no series in \(index.path) is called '\(unknown)'",
        help: NearestMatch.hint(unknown, among: ids) + "bench history list series shows all names",
        status: .noBaseline)
    }
    guard !keys.contains(where: include) else { return }
    throw CLIError(
      words.isEmpty
        ? "\(index.path) holds no figures"
        : "no series in \(index.path) has all of \(words.joined(separator: ", ")) in its name",
      help: words.isEmpty
        ? "add runs: bench history add" : "give fewer: bench history list series shows all names",
      status: .noBaseline)
  }

  func include(_ key: HistoryKey) -> Bool {
    let isNamed = takesAll || words.contains(key.phase) || words.contains(key.name)
    return (key.isJudged || isNamed) && Set(words).isSubset(of: Self.names(key))
  }

  private static func names(_ key: HistoryKey) -> [String] {
    key.ids + [key.cell.description, key.name]
  }
}
