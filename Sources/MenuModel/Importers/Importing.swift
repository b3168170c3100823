import Foundation

/// A menu read from a file, and what of the file has no place in it.
package struct ImportedMenu: Equatable, Sendable {
  /// The menu.
  package var menu: Menu
  /// The ``MenuImporter/id`` of the format that it was read from.
  package var format: String
  /// One line each: what was left out, assumed or renamed, and how often.
  package var notes: [String]

  package init(menu: Menu, format: String, notes: [String] = []) {
    self.menu = menu
    self.format = format
    self.notes = notes
  }
}

/// Reads menus of one file format.
///
/// To add one: a file `Importers/NameImporter.swift` that holds the type `NameImporter` (its parts
/// may have a folder of their own), and a line in ``ImporterRegistry``.
protocol MenuImporter: Sendable {
  /// The format's name in reports and messages.
  var id: String { get }
  /// What the format is, in one line.
  var summary: String { get }

  /// Whether a JSON object with these keys looks like this format; the file's name plays no part.
  func recognises(topLevelKeys: Set<String>) -> Bool

  /// Reads a menu; its references are checked by the caller.
  ///
  /// - Parameter data: UTF-8 JSON that ``MenuFile`` has checked: well-formed, nested at most
  ///   ``MenuFile/nestingLimit`` deep.
  /// - Throws: `DecodingError` with the path of the offending value, or ``MenuFileProblem``.
  func importMenu(from data: Data) throws -> ImportedMenu
}

/// Every importer there is.
enum ImporterRegistry {
  /// The importers, in the order to ask them in; add yours here.
  static let all: [any MenuImporter] = [
    OwnImporter(),
    DominosImporter(),
  ]
}

/// Something that an import has to say about things of one kind, in the singular and the plural.
struct Finding: Hashable {
  /// `variant has no price and is left out`.
  var one: String
  /// `variants have no price and are left out`.
  var many: String

  init(_ one: String, many: String) {
    self.one = one
    self.many = many
  }

  /// Things of a kind that the menu model does not know.
  static func noPlace(_ kind: Noun) -> Finding {
    Finding(
      "\(kind.one) has no place in the menu model",
      many: "\(kind.many) have no place in the menu model")
  }

  /// A field, of things of one kind, that the menu model does not know.
  static func noPlace(field: String, of kind: Noun) -> Finding {
    let rest = "a field \(field) that has no place in the menu model"
    return Finding("\(kind.one) has \(rest)", many: "\(kind.many) have \(rest)")
  }
}

/// The name of a kind of things.
struct Noun: Hashable {
  var one: String
  var many: String

  init(_ one: String, many: String? = nil) {
    self.one = one
    self.many = many ?? one + "s"
  }

  /// The noun that a plural key stands for: `CookingInstructions` is a cooking instruction.
  init(key: String) {
    many = key.reduce(into: "") { text, letter in
      if letter.isUppercase, text.last?.isLowercase == true { text += " " }
      text += letter.lowercased()
    }
    one = many.hasSuffix("s") ? String(many.dropLast()) : many
  }
}

extension Noun {
  static let category = Noun("category", many: "categories")
  static let combo = Noun("combo")
  static let ingredient = Noun("ingredient")
  static let modifierGroup = Noun("modifier group")
  static let optionList = Noun("option list")
  static let product = Noun("product")
  static let slot = Noun("slot")
  static let variant = Noun("variant")
}

/// Counts findings; the notes come in the order in which each was first found.
struct ImportNotes {
  private var order: [Finding] = []
  private var found: [Finding: (count: Int, names: [String])] = [:]
  private static let namesShown = 5

  /// Adds a finding about things without names, or many of them.
  mutating func add(_ finding: Finding, count: Int = 1, named name: String? = nil) {
    guard count > 0 else { return }
    if found[finding] == nil { order.append(finding) }
    found[finding, default: (0, [])].count += count
    if let name { found[finding]?.names.append(name) }
  }

  /// Adds the fields that records of one kind have no place for.
  mutating func add<Fields>(leftoversOf rows: some Sequence<Row<Fields>>, _ kind: Noun) {
    let counts = rows.lazy.flatMap(\.leftovers).reduce(into: [:]) { $0[$1, default: 0] += 1 }
    for (field, count) in counts.sorted(by: { $0.key < $1.key }) {
      add(.noPlace(field: field, of: kind), count: count)
    }
  }

  /// One line each: the count, the finding and the first names.
  var lines: [String] {
    order.map { finding in
      let (count, names) = found[finding] ?? (0, [])
      let text = "\(count) \(count == 1 ? finding.one : finding.many)"
      guard !names.isEmpty else { return text }
      let rest = names.count > Self.namesShown ? ", …" : ""
      return text + ": " + names.prefix(Self.namesShown).joined(separator: ", ") + rest
    }
  }
}
