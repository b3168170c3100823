import Basics
import Foundation

/// Collects the keys and numbers of a scanned menu file that the format does not have.
struct MenuFileParts {
  private(set) var topLevelKeys: Set<String> = []
  /// The first unknown keys, each with the path of its first occurrence.
  private var unknownKeys: [(name: String, path: String)] = []
  private var seenKeys = keys
  /// The fault of the first number that cannot be at its place.
  private var oddNumber: String?

  /// Every key that a file may contain.
  static let keys: Set<String> = [
    "allergens", "availability", "carbohydrates", "categories", "categoryID", "city", "code",
    "combos", "currency", "days", "defaultProductID", "details", "dough", "energy", "entity",
    "entityID", "fats", "format", "free", "from", "hours", "id", "image", "ingredientID",
    "ingredients", "isRemovable", "isRequired", "kind", "locale", "max", "menu", "min",
    "modifierGroupIDs", "modifierGroups", "name", "nutrition", "oldPrice", "optionListID",
    "optionLists", "options", "orderType", "otherCategoryIDs", "parentID", "per100g", "price",
    "priceTiers", "prices", "product", "productID", "products", "proteins", "revision",
    "schema", "size", "slots", "stopList", "storeID", "storeOverrides", "surcharge", "tags",
    "translations", "until", "variantID", "variants", "weight", "whole",
  ]
  /// The most unknown keys that are held. A file may have millions.
  private static let most = 1_000
  /// The keys whose numbers may be fractions.
  private static let fractions: Set = ["energy", "proteins", "fats", "carbohydrates"]

  mutating func add(_ part: JSONScanner.Part) {
    guard part.isKey else {
      if oddNumber == nil { oddNumber = Self.fault(of: part) }
      return
    }
    if part.isTopLevel { topLevelKeys.insert(part.text) }
    guard unknownKeys.count < Self.most, seenKeys.insert(part.text).inserted else { return }
    unknownKeys.append((part.text, part.path))
  }

  /// Returns the fault of a number that is neither a 64-bit integer nor an allowed fraction.
  /// Returns nil for a valid number, and for any number under an unknown key.
  private static func fault(of number: JSONScanner.Part) -> String? {
    let path = number.keys
    guard path.allSatisfy(keys.contains) else { return nil }
    let value = strtod(number.text, nil)
    let digits = number.text.prefix { !"eE".contains($0) }
    let fault: String
    if !value.isFinite {
      fault = "is larger than any number of 64 bits"
    } else if path.last.map(fractions.contains) != true, Int64(exactly: value) == nil {
      fault = "is not a whole number of 64 bits"
    } else if value == 0, digits.contains(where: { "123456789".contains($0) }) {
      fault = "is too close to 0 for a number of 64 bits: write 0"
    } else {
      return nil
    }
    return "\(number.path): \(number.text.prefix(40)) \(fault)"
  }

  /// Describes the keys of the top level.
  var shape: String {
    guard !topLevelKeys.isEmpty else { return "its top level has no keys" }
    let shown = topLevelKeys.sorted().prefix(8).map { String($0.prefix(40)).debugDescription }
    let rest = topLevelKeys.count - shown.count
    return "its top level has the keys " + shown.joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }

  /// Names the first ten unknown keys, each with its path and the likely intended key.
  var notes: [String] {
    guard !unknownKeys.isEmpty else { return [] }
    let known = Self.keys.sorted()
    let places = unknownKeys.prefix(10).map { name, path in
      path + (NearestMatch.of(name, among: known).map { " (did you mean \($0)?)" } ?? "")
    }
    let count = unknownKeys.count
    let have = count == 1 ? "1 key has" : "\(count)\(count < Self.most ? "" : " or more") keys have"
    return [
      "\(have) no place in the menu model: \(places.joined(separator: ", "))"
        + (unknownKeys.count > 10 ? ", …" : "")
    ]
  }

  /// Converts a decoder's error.
  func refusal(_ error: DecodingError) -> Refusal {
    // A missing key may be present under a wrong name, which is quicker to find by that name.
    if case .keyNotFound(let key, _) = error,
      let likely = NearestMatch.of(key.stringValue, among: unknownKeys.map(\.name))
    {
      return Refusal("\(error.briefly), and '\(likely)' is not a key of the format")
    }
    // On Linux the decoder's error for such a number has neither path nor value (Swift 6.3.1).
    let number = error.place.isEmpty ? oddNumber : nil
    return Refusal(number ?? error.briefly)
  }
}
