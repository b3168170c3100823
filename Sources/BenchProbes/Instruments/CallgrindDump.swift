/// What Callgrind writes about the instructions that it collected.
///
/// Source: the Callgrind format, https://valgrind.org/docs/manual/cl-format.html.
struct CallgrindDump {
  /// Functions of the Swift runtime that find a type's metadata by the hash of addresses. How often
  /// their probes collide depends on where the program and its libraries lie in memory, so any change
  /// of an executable, however far from what is measured, moves them: by 0.8 % of a JSON decode.
  private static let placeDependent = ["ConcurrentReadableHashMap", "MetadataCacheKey::operator=="]

  private var names: [Substring: Bool] = [:]
  private var isPlaceDependent = false
  private var isCall = false
  private var left: UInt64 = 0
  private var counts: UInt64?

  /// The number of instructions in a dump, less those of functions whose number depends on where the
  /// program lies in memory; nil where the text is no whole dump of instructions alone.
  static func instructions(in text: String) -> UInt64? {
    var dump = CallgrindDump()
    var isOfInstructions = false
    for line in text.split(separator: "\n") {
      if line == "events: Ir" { isOfInstructions = true }
      dump.read(line)
    }
    guard isOfInstructions, let total = dump.counts, total >= dump.left else { return nil }
    return total - dump.left
  }

  private mutating func read(_ line: Substring) {
    if let name = line.after("fn=") {
      isPlaceDependent = learn(name)
    } else if let name = line.after("cfn=") {
      _ = learn(name)
    } else if line.hasPrefix("calls=") {
      isCall = true
    } else if let total = line.after("totals: ") {
      counts = UInt64(total)
    } else if let first = line.utf8.first, "0123456789+-*".utf8.contains(first) {
      if isPlaceDependent, !isCall { leave(line) }
      isCall = false
    }
  }

  /// A function's own cost: the last number of a line that is not the cost of a call.
  private mutating func leave(_ line: Substring) {
    let cost = line.split(separator: " ").last.flatMap { UInt64($0) } ?? 0
    left = left.addingReportingOverflow(cost).partialValue
  }

  /// Names are written once, as `(7) name`, and then meant by `(7)`.
  private mutating func learn(_ name: Substring) -> Bool {
    let parts = name.split(separator: " ", maxSplits: 1)
    guard let id = parts.first else { return false }
    if parts.count == 2 { names[id] = Self.placeDependent.contains { parts[1].contains($0) } }
    return names[id] ?? false
  }
}

extension Substring {
  fileprivate func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
