import Basics
import Foundation

/// Says where in somebody's own JSON the parts of a menu are: a file in place of an importer.
///
/// For each kind of thing `at` is a path to them all, and every further key a path from one of them to
/// what ours calls by that key. `Documentation/own-menu.md` shows one.
package struct MenuMapping: Sendable {
  /// The file's top level; what it may hold is in ``MappingKeys``.
  let menu: Section

  /// A thing's keys, as the mapping has them.
  struct Section: Sendable {
    /// Where it stands in the mapping: `products.variants`.
    var subject: String
    /// The line of the mapping.
    var line: Int
    /// The way to the things.
    var at: Field?
    var fields: [String: Field] = [:]
    var sections: [String: Section] = [:]
  }

  /// How one value is come by.
  struct Field: Sendable {
    var subject: String
    var line: Int
    var source: Source
    /// What stands for a value that is found.
    var values: [String: String] = [:]
    /// What holds where nothing is found.
    var fallback: Scalar?
    /// Whether a price is in whole currency units, not in minor ones.
    var isMajor = false

    enum Source: Sendable {
      case path(JSONPath)
      case constant(Scalar)
      /// The key that the thing stands under.
      case key
    }

    /// The path as it was written, for messages.
    var path: String {
      switch source {
      case .path(let path): path.text
      case .constant(let scalar): scalar.text
      case .key: "key"
      }
    }
  }

  /// A text, a number as it is written, or a truth value.
  enum Scalar: Hashable, Sendable {
    case text(String)
    case number(String)
    case truth(Bool)

    var text: String {
      switch self {
      case .text(let text), .number(let text): text
      case .truth(let flag): flag ? "true" : "false"
      }
    }
  }

  /// Reads a mapping from the content of its file.
  ///
  /// - Throws: ``MenuFileProblem``.
  package init(_ data: Data) throws {
    let tree = JSONTree(scanned: try MenuFile.text(of: data))
    let reader = MappingReader(tree: tree)
    menu = try reader.section(JSONTree.root, "", MappingKeys.menu)
    if menu.sections["products"] == nil, menu.sections["categories"]?.sections["products"] == nil {
      throw MenuFileProblem.mapping(
        MappingProblem(line: menu.line, subject: "", fault: .missing(key: "products")))
    }
  }

  /// Reads a mapping file.
  ///
  /// - Throws: ``MenuFileError``.
  package static func load(path: String) throws -> MenuMapping {
    do {
      return try MenuMapping(try MenuFile.contents(path))
    } catch let problem as MenuFileProblem {
      throw MenuFileError(path: path, isMapping: true, problem: problem)
    }
  }
}

/// What a mapping may say of one kind of thing; new fields of the model are added here.
struct MappingKeys: Sendable {
  /// The keys of values, those first that a menu cannot do without.
  var needed: [String] = []
  var fields: [String] = []
  var sections: [String: MappingKeys] = [:]
  /// Whether there are many, which `at` leads to.
  var hasPlace = true

  var all: [String] {
    (hasPlace ? ["at"] : []) + needed.filter { sections[$0] == nil } + fields
      + sections.keys.sorted()
  }

  /// The top level.
  static let menu = MappingKeys(
    needed: ["locale", "currency"], fields: ["id", "revision", "city"],
    sections: [
      "categories": category, "ingredients": MappingKeys(needed: ["name"], fields: ["id", "code"]),
      "modifierGroups": modifierGroup, "products": product,
      "optionLists": MappingKeys(needed: ["id"], sections: ["options": option]), "combos": combo,
      "stopList": MappingKeys(fields: ["product", "variant", "ingredient", "until"]),
      "storeOverrides": MappingKeys(
        needed: ["store"], fields: ["product", "variant", "combo", "price", "availability"]),
    ], hasPlace: false)

  private static let category = MappingKeys(
    needed: ["name"], fields: ["id", "parent"], sections: ["products": product])

  private static let modifierGroup = MappingKeys(
    needed: ["name"], fields: ["id", "min", "max", "free", "isRequired"],
    sections: [
      "options": MappingKeys(
        needed: ["ingredient"], fields: ["modifierGroups"],
        sections: ["prices": MappingKeys(needed: ["size", "price"])])
    ])

  private static let product = MappingKeys(
    needed: ["name", "variants"],
    fields: [
      "id", "code", "category", "otherCategories", "kind", "details", "tags", "availability",
      "allergens", "modifierGroups",
    ],
    sections: [
      "variants": variant,
      "hours": MappingKeys(needed: ["from", "until"], fields: ["days"]),
      "ingredients": MappingKeys(needed: ["ingredient"], fields: ["isRemovable"]),
    ])

  private static let variant = MappingKeys(
    needed: ["price"], fields: ["id", "code", "size", "dough", "weight", "image"],
    sections: [
      "priceTiers": MappingKeys(needed: ["name", "price"], fields: ["orderType"]),
      "nutrition": MappingKeys(
        needed: ["per100g", "whole"], sections: ["per100g": facts, "whole": facts],
        hasPlace: false),
    ])

  private static let facts = MappingKeys(
    needed: ["energy", "proteins", "fats", "carbohydrates"], hasPlace: false)

  private static let combo = MappingKeys(
    needed: ["name"], fields: ["id", "code", "details", "price", "oldPrice", "image"],
    sections: [
      "slots": MappingKeys(
        needed: ["name"], fields: ["min", "max", "defaultProduct", "optionList"],
        sections: ["options": option])
    ])

  private static let option = MappingKeys(fields: ["product", "variant", "surcharge"])
}

/// Reads the mapping's JSON; every refusal names its line.
private struct MappingReader {
  let tree: JSONTree

  func section(_ value: Int, _ subject: String, _ keys: MappingKeys) throws -> MenuMapping.Section {
    guard tree.kind(value) == .object else {
      throw problem(value, subject, .unexpected(found: tree.words(for: value), wanted: "an object"))
    }
    var section = MenuMapping.Section(subject: subject, line: tree.line(of: value))
    for (key, child) in try members(value, subject) {
      let name = subject.isEmpty ? key : "\(subject).\(key)"
      if let inner = keys.sections[key] {
        section.sections[key] = try self.section(child, name, inner)
      } else if key == "at", keys.hasPlace {
        section.at = try place(child, name)
      } else if (keys.needed + keys.fields).contains(key) {
        section.fields[key] = try field(child, name)
      } else {
        throw problem(child, subject, .unknownKey(key, choices: keys.all))
      }
    }
    let given = Set(section.fields.keys).union(section.sections.keys)
    let needed = (keys.hasPlace && section.at == nil ? ["at"] : []) + keys.needed
    for key in needed where !given.contains(key) {
      throw problem(value, subject, .missing(key: key))
    }
    return section
  }

  /// The members of an object; none of them may be there twice.
  private func members(_ value: Int, _ subject: String) throws -> [(key: String, child: Int)] {
    var seen: Set<String> = []
    return try tree.children(of: value).map { child in
      let key = tree.key(of: child) ?? ""
      guard seen.insert(key).inserted else {
        throw problem(child, subject, .unexpected(found: "a second '\(key)'", wanted: "only one"))
      }
      return (key, child)
    }
  }

  private func place(_ value: Int, _ subject: String) throws -> MenuMapping.Field {
    MenuMapping.Field(
      subject: subject, line: tree.line(of: value), source: .path(try path(value, subject)))
  }

  private func field(_ value: Int, _ subject: String) throws -> MenuMapping.Field {
    switch tree.kind(value) {
    case .text:
      return MenuMapping.Field(
        subject: subject, line: tree.line(of: value), source: .path(try path(value, subject)))
    case .object: return try detailed(value, subject)
    default:
      throw problem(
        value, subject, .unexpected(found: tree.words(for: value), wanted: "a path or an object"))
    }
  }

  private func detailed(_ value: Int, _ subject: String) throws -> MenuMapping.Field {
    let isOfPrice = ["price", "oldPrice", "surcharge"].contains { subject.hasSuffix(".\($0)") }
    var source: MenuMapping.Field.Source?
    var field = MenuMapping.Field(subject: subject, line: tree.line(of: value), source: .key)
    for (key, child) in try members(value, subject) {
      switch key {
      case "path", "value", "key":
        guard source == nil else {
          throw problem(
            child, subject,
            .unexpected(found: "'\(key)'", wanted: "only one of path, value and key"))
        }
        source = try self.source(key, child, subject)
      case "unit" where isOfPrice: field.isMajor = try isMajor(child, subject)
      case "values": field.values = try values(child, subject)
      case "default": field.fallback = try scalar(child, subject)
      default:
        throw problem(
          child, subject,
          .unknownKey(
            key,
            choices: ["path", "value", "key", "values", "default"] + (isOfPrice ? ["unit"] : [])))
      }
    }
    guard let source else {
      throw problem(
        value, subject,
        .unexpected(found: tree.words(for: value), wanted: "an object with path, value or key"))
    }
    field.source = source
    return field
  }

  private func source(
    _ key: String, _ value: Int, _ subject: String
  ) throws -> MenuMapping.Field.Source {
    switch key {
    case "path": return .path(try path(value, subject))
    case "value": return .constant(try scalar(value, subject))
    default:
      guard tree.truth(value) == true else {
        throw problem(value, subject, .unexpected(found: tree.words(for: value), wanted: "true"))
      }
      return .key
    }
  }

  private func path(_ value: Int, _ subject: String) throws -> JSONPath {
    guard tree.kind(value) == .text, let text = tree.scalar(value) else {
      throw problem(value, subject, .unexpected(found: tree.words(for: value), wanted: "a path"))
    }
    do throws(JSONPath.Fault) {
      return try JSONPath(parsing: text)
    } catch {
      throw problem(
        value, subject,
        .badPath(text, .init(character: error.character, expected: error.expected)))
    }
  }

  private func isMajor(_ value: Int, _ subject: String) throws -> Bool {
    switch tree.kind(value) == .text ? tree.scalar(value) : nil {
    case "major": return true
    case "minor": return false
    default:
      throw problem(
        value, subject,
        .unexpected(found: tree.words(for: value), wanted: #""major" or "minor""#))
    }
  }

  private func values(_ value: Int, _ subject: String) throws -> [String: String] {
    guard tree.kind(value) == .object else {
      throw problem(value, subject, .unexpected(found: tree.words(for: value), wanted: "an object"))
    }
    var values: [String: String] = [:]
    for (key, child) in try members(value, subject) {
      guard tree.kind(child) == .text else {
        throw problem(child, subject, .unexpected(found: tree.words(for: child), wanted: "a text"))
      }
      values[key] = tree.scalar(child)
    }
    return values
  }

  private func scalar(_ value: Int, _ subject: String) throws -> MenuMapping.Scalar {
    guard let scalar = MenuMapping.Scalar(tree, value) else {
      throw problem(
        value, subject,
        .unexpected(
          found: tree.words(for: value), wanted: "a text, a number, true or false"))
    }
    return scalar
  }

  private func problem(
    _ value: Int, _ subject: String, _ fault: MappingProblem.Fault
  ) -> MenuFileProblem {
    .mapping(MappingProblem(line: tree.line(of: value), subject: subject, fault: fault))
  }
}

extension MenuMapping.Scalar {
  /// The scalar that a value is; nil for null, arrays and objects.
  init?(_ tree: JSONTree, _ value: Int) {
    if let truth = tree.truth(value) {
      self = .truth(truth)
    } else if let text = tree.scalar(value) {
      self = tree.kind(value) == .text ? .text(text) : .number(text)
    } else {
      return nil
    }
  }
}
