/// Finds the choice that a mistyped word most likely meant.
package enum NearestMatch {
  /// Returns the nearest choice by edit distance, or the first that contains the word between
  /// hyphens (`grdb` finds `sqlite-grdb`). Returns nil if none is close enough.
  package static func of(_ word: String, among choices: [String]) -> String? {
    let typed = word.lowercased()
    let ranked = choices.map { ($0, distance(typed, $0.lowercased())) }
    guard let best = ranked.min(by: { $0.1 < $1.1 }) else { return nil }
    if best.1 > 1,
      let whole = choices.first(where: {
        $0.lowercased().split(separator: "-").contains(typed[...])
      })
    {
      return whole
    }
    return best.1 <= max(1, min(word.count, best.0.count) / 2) ? best.0 : nil
  }

  /// Returns the first words of a help text, such as `did you mean 'json'? `, or an empty string.
  package static func hint(_ word: String, among choices: [String]) -> String {
    of(word, among: choices).map { "did you mean '\($0)'? " } ?? ""
  }

  /// The fewest insertions, deletions and replacements between words (Wagner and Fischer, 1974).
  private static func distance(_ a: String, _ b: String) -> Int {
    let b = Array(b.prefix(200))
    var row = Array(0...b.count)
    for (i, x) in a.prefix(200).enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let replaced = diagonal + (x == y ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, diagonal + 1, row[j] + 1)
      }
    }
    return row[b.count]
  }
}
