import Basics
import Foundation

/// What a mapping's paths find in one file, by type; keeps account of what was never asked for.
final class MappedValues {
  let tree: JSONTree
  /// How many digits prices have behind the point: a euro is 100 cents.
  var minorDigits = 2
  private var isUsed: [Bool]
  /// What each thing that an `at` led to is.
  private var things: [Int: Noun] = [:]
  private var uses: [String: Use] = [:]
  private var count = 0

  /// What became of a path, over all things that it was tried with.
  private struct Use {
    var field: MenuMapping.Field
    var tries = 0
    var hasFound = false
    var noun: Noun?
    /// The first thing it was tried with, and how far it led there.
    var deepest: Int
  }

  init(_ tree: JSONTree) {
    self.tree = tree
    isUsed = Array(repeating: false, count: tree.count)
    isUsed[JSONTree.root] = true
  }

  // MARK: paths

  /// The things of a section that are in a value.
  ///
  /// - Throws: ``MappingProblem`` where there are a hundred times as many as the file has values: a few
  ///   paths from the root, each within the other, would fill any memory.
  func things(_ section: MenuMapping.Section, _ noun: Noun, in value: Int) throws -> [Int] {
    guard let at = section.at else { return [] }
    let found = find(at, from: value)
    count += found.count
    guard count / 100 <= tree.count else {
      throw problem(at, .findsTooMany(path: at.path, count: count))
    }
    // A product that is its own only variant stays a product.
    for thing in found where things[thing] == nil { things[thing] = noun }
    return found
  }

  /// Every value that a path leads to; a path that has led nowhere by the end is refused then.
  private func find(_ field: MenuMapping.Field, from value: Int) -> [Int] {
    guard case .path(let path) = field.source else { return [] }
    var found = [path.isFromRoot ? JSONTree.root : value]
    var deepest = found[0]
    var meetsEmpty = false
    for step in path.steps {
      var next: [Int] = []
      for value in found {
        let before = next.count
        follow(step, from: value, &next)
        let mayBeEmpty = [.array, .object, .null].contains(tree.kind(value))
        if step == .all, mayBeEmpty, next.count == before { meetsEmpty = true }
      }
      found = next
      for value in found { isUsed[value] = true }
      if let first = found.first { deepest = first }
    }
    var use = uses[field.subject] ?? Use(field: field, noun: things[value], deepest: deepest)
    use.tries += 1
    use.hasFound = use.hasFound || meetsEmpty || !found.isEmpty
    uses[field.subject] = use
    return found
  }

  private func follow(_ step: JSONPath.Step, from value: Int, _ next: inout [Int]) {
    switch step {
    case .name(let name):
      guard tree.kind(value) == .object else { return }
      next += tree.children(of: value).lazy.filter { self.tree.key(of: $0) == name }
    case .index(let index):
      guard tree.kind(value) == .array else { return }
      next += tree.children(of: value).dropFirst(index).prefix(1)
    case .all: next += tree.children(of: value)
    }
  }

  /// Refuses the first path, by the mapping's lines, that found nothing wherever it was tried.
  ///
  /// - Throws: ``MappingProblem``.
  func refuseIdlePaths() throws {
    let idle = uses.values.filter { !$0.hasFound }
      .min { ($0.field.line, $0.field.subject) < ($1.field.line, $1.field.subject) }
    guard let idle else { return }
    let (place, there) = (tree.place(of: idle.deepest), tree.words(for: idle.deepest))
    guard idle.tries > 1, let noun = idle.noun else {
      throw problem(
        idle.field, .findsNothing(path: idle.field.path, at: place, there: there))
    }
    throw problem(
      idle.field,
      .neverFinds(
        path: idle.field.path, things: "\(idle.tries) \(noun.many)", first: place, there: there))
  }

  func problem(_ field: MenuMapping.Field, _ fault: MappingProblem.Fault) -> MappingProblem {
    MappingProblem(line: field.line, subject: field.subject, fault: fault)
  }

  // MARK: values

  /// A value and where it was found; nowhere where the mapping itself says it.
  struct Found {
    var scalar: MenuMapping.Scalar
    var value: Int?
  }

  /// What a field says of a thing; nil where there is no such field, or nothing is found.
  func found(
    _ field: MenuMapping.Field?, of thing: Int, _ wanted: String
  ) throws -> Found? {
    guard let field else { return nil }
    let fallback = field.fallback.map { Found(scalar: $0) }
    switch field.source {
    case .constant(let scalar): return Found(scalar: scalar)
    case .key: return tree.key(of: thing).map { Found(scalar: .text($0), value: thing) } ?? fallback
    case .path: break
    }
    let values = find(field, from: thing)
    guard values.count < 2 else {
      throw problem(
        field,
        .findsMany(
          path: field.path, count: values.count, at: tree.place(of: thing),
          found: values.prefix(3).map { tree.words(for: $0) }))
    }
    guard let value = values.first, tree.kind(value) != .null else { return fallback }
    return try translated(field, value, wanted)
  }

  /// Every value that a field finds.
  func all(_ field: MenuMapping.Field?, of thing: Int, _ wanted: String) throws -> [Found] {
    guard let field else { return [] }
    guard case .path = field.source else {
      return try found(field, of: thing, wanted).map { [$0] } ?? []
    }
    return try find(field, from: thing).map { try translated(field, $0, wanted) }
  }

  private func translated(
    _ field: MenuMapping.Field, _ value: Int, _ wanted: String
  ) throws -> Found {
    guard let scalar = MenuMapping.Scalar(tree, value) else {
      throw other(field, Found(scalar: .text(""), value: value), wanted)
    }
    return Found(scalar: field.values[scalar.text].map { .text($0) } ?? scalar, value: value)
  }

  /// The value has another type than the menu's field.
  func other(_ field: MenuMapping.Field, _ found: Found, _ wanted: String) -> MappingProblem {
    let words = found.value.map { tree.words(for: $0) } ?? found.scalar.text.debugDescription
    return problem(
      field,
      .findsOther(path: field.path, found: words, at: place(of: found), wanted: wanted))
  }

  func place(of found: Found) -> String {
    found.value.map { tree.place(of: $0) } ?? "the mapping"
  }

  /// What every thing must have was not found in this one.
  func nothing(_ field: MenuMapping.Field, in thing: Int) -> MappingProblem {
    problem(
      field,
      .findsNothing(path: field.path, at: tree.place(of: thing), there: tree.words(for: thing)))
  }

  // MARK: types

  /// A value of a type that a conversion knows.
  func value<Value>(
    _ field: MenuMapping.Field?, of thing: Int, _ wanted: String,
    _ convert: (MenuMapping.Scalar) -> Value?
  ) throws -> Value? {
    guard let field, let found = try found(field, of: thing, wanted) else { return nil }
    guard let value = convert(found.scalar) else { throw other(field, found, wanted) }
    return value
  }

  /// A text.
  func text(_ field: MenuMapping.Field?, of thing: Int) throws -> String? {
    try value(field, of: thing, "a text") {
      if case .text(let text) = $0 { text } else { nil }
    }
  }

  /// A text, or a number as it is written.
  func label(_ field: MenuMapping.Field?, of thing: Int) throws -> String? {
    try value(field, of: thing, Self.labelWords, Self.label)
  }

  static let labelWords = "a text or a number"

  static func label(_ scalar: MenuMapping.Scalar) -> String? {
    if case .truth = scalar { nil } else { scalar.text }
  }

  /// A whole number.
  func whole(_ field: MenuMapping.Field?, of thing: Int) throws -> Int? {
    try value(field, of: thing, "a whole number") {
      if case .number(let text) = $0 { Int(text) } else { nil }
    }
  }

  /// A number.
  func number(_ field: MenuMapping.Field?, of thing: Int) throws -> Double? {
    try value(field, of: thing, "a number") {
      if case .number(let text) = $0 {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
      } else {
        nil
      }
    }
  }

  /// A truth value.
  func truth(_ field: MenuMapping.Field?, of thing: Int) throws -> Bool? {
    try value(field, of: thing, "true or false") {
      if case .truth(let flag) = $0 { flag } else { nil }
    }
  }

  /// One of an enumeration's words.
  func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ field: MenuMapping.Field?, of thing: Int
  ) throws -> Choice? {
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    return try value(field, of: thing, "one of \(words) (name it in \"values\")") {
      Choice(rawValue: $0.text)
    }
  }

  /// Every one of an enumeration's words that a field finds.
  func choices<Choice: CaseIterable & RawRepresentable<String>>(
    _ field: MenuMapping.Field?, of thing: Int
  ) throws -> [Choice] {
    guard let field else { return [] }
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    let wanted = "one of \(words) (name it in \"values\")"
    return try all(field, of: thing, wanted).map { found in
      guard let choice = Choice(rawValue: found.scalar.text) else {
        throw other(field, found, wanted)
      }
      return choice
    }
  }

  /// A minute of the day: a whole number of them, or a time such as `07:30`.
  func minute(_ field: MenuMapping.Field?, of thing: Int) throws -> Int? {
    try value(field, of: thing, "minutes from midnight or a time such as 07:30") { scalar in
      if case .number(let text) = scalar { return Int(text) }
      guard let match = scalar.text.wholeMatch(of: /([0-9]{1,2}):([0-5][0-9])/),
        let hours = Int(match.1), let minutes = Int(match.2)
      else { return nil }
      return 60 * hours + minutes
    }
  }

  /// A price in minor units: a number or a text of one, exactly.
  func price(_ field: MenuMapping.Field?, of thing: Int) throws -> Int? {
    guard let field else { return nil }
    let digits = field.isMajor ? minorDigits : 0
    let wanted =
      field.isMajor
      ? "a price with at most \(digits) digits behind the point"
      : #"a whole number of minor units (or "unit": "major")"#
    return try value(field, of: thing, wanted) { scalar in
      Self.label(scalar).flatMap { Self.shifted($0, by: digits) }
    }
  }

  /// A decimal number times a power of ten, where that is whole; reads digits, never binary fractions.
  static func shifted(_ text: String, by digits: Int) -> Int? {
    guard let match = text.wholeMatch(of: /(-?[0-9]{1,18})(?:\.([0-9]{1,18}))?/) else { return nil }
    let fraction = (match.2 ?? "").reversed().drop { $0 == "0" }.reversed()
    guard fraction.count <= digits else { return nil }
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return Int(match.1 + String(fraction) + zeros)
  }
}

extension MappedValues {
  /// Counts what stands beside the values that were asked for.
  func addLeftovers(to notes: inout ImportNotes) {
    addLeftovers(of: JSONTree.root, Noun("file"), "", to: &notes)
  }

  private func addLeftovers(
    of value: Int, _ noun: Noun, _ path: String, to notes: inout ImportNotes
  ) {
    let noun = things[value] ?? noun
    let path = things[value] == nil ? path : ""
    for child in tree.children(of: value) {
      let name = tree.key(of: child) ?? "[*]"
      let field = path.isEmpty || name == "[*]" ? path + name : "\(path).\(name)"
      if isUsed[child] {
        addLeftovers(of: child, noun, field, to: &notes)
      } else if !tree.isBlank(child), hasUsedParts(value) {
        notes.add(.noPlace(field: field, of: noun))
      }
    }
  }

  /// Whether somebody looked into it; a value that was taken whole has no leftovers.
  private func hasUsedParts(_ value: Int) -> Bool {
    things[value] != nil || value == JSONTree.root
      || tree.children(of: value).contains { isUsed[$0] }
  }
}
