import BenchAnalysis
import BenchReports
import MenuModel
import PersistenceBackends

/// All that is known of a backend before it is measured, as `bench list --verbose` shows it.
struct BackendPage {
  /// The backend's id.
  let id: String
  /// What is said, and of what; each point of several begins a line of its own.
  let facts: [(title: String, points: [String])]

  init(_ entry: BackendEntry<some BenchDocument>) {
    let made = StoragePromise.allCases.filter(entry.promises.contains)
    let others = StoragePromise.allCases.filter { !entry.promises.contains($0) }.map(\.rawValue)
    let promises = made.map { "\($0.rawValue): \($0.meaning)" }
    id = entry.id
    facts = [
      ("models", [entry.summary]),
      ("caveat", [entry.caveat ?? "none"]),
      ("promises", promises.isEmpty ? ["nothing"] : promises),
      ("not", [others.isEmpty ? "nothing" : others.joined(separator: ", ")]),
      ("restart", [entry.survivesRestart ? "keeps what was written" : "keeps nothing"]),
      ("library", [entry.library?.name ?? Self.unknown]),
      ("licence", [entry.library?.licence ?? Self.unknown]),
      ("adds", [entry.library.map(Self.addition) ?? Self.unknown]),
    ]
  }

  private static let unknown = "not stated"

  /// What a library adds to an app, part by part.
  private static func addition(of library: Library) -> String {
    guard library.id != nil else {
      return library == Library.none ? "nothing" : "nothing: it comes with the system or with Swift"
    }
    return library.size.map(wording) ?? "not measured"
  }

  /// A size in words.
  static func wording(of size: LibrarySize) -> String {
    let code = size.code > 0 ? ["\(Wording.bytes(Double(size.code))) of code in the binary"] : []
    let shared = size.shared.sorted { $0.key < $1.key }
      .map { "\(Wording.bytes(Double($0.value))) as the system's \($0.key)" }
    return (code + shared).joined(separator: ", ")
  }

  /// The page in lines of at most so many columns, ending in a line break.
  func text(width: Int) -> String {
    let lines = facts.flatMap { title, points in
      // No terminal is so narrow that nothing fits beside the titles.
      let texts = points.flatMap { $0.wrapped(to: max(width - Self.indent, 20)) }
      let titles = [title] + texts.dropFirst().map { _ in "" }
      return zip(titles, texts).map { "    \(Self.padded($0))\($1)\n" }
    }
    return "  \(id)\n" + lines.joined()
  }

  /// The column at which everything said begins.
  private static let indent = 14

  private static func padded(_ title: String) -> String {
    title + String(repeating: " ", count: indent - 4 - title.count)
  }
}
