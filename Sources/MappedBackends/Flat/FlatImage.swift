import BackendKit
import Basics
import Foundation

/// A file's bytes, read in place: the header is checked when it is made, in constant time, and every
/// record when it is touched. Nothing is copied and no menu is built.
final class FlatImage {
  /// All of the file.
  let bytes: UnsafeRawBufferPointer
  private let owner: AnyObject?

  let categories: FlatSection<FlatCategory>
  let ingredients: FlatSection<FlatIngredient>
  let modifierGroups: FlatSection<FlatModifierGroup>
  let modifiers: FlatSection<FlatModifier>
  let sizePrices: FlatSection<FlatPrice>
  let stopList: FlatSection<FlatStop>
  let translations: FlatSection<FlatTranslation>
  let productIndex: FlatSection<FlatIndexEntry>
  let comboIndex: FlatSection<FlatIndexEntry>
  let combos: FlatSection<FlatCombo>
  let slots: FlatSection<FlatSlot>
  let optionLists: FlatSection<FlatOptionList>
  let options: FlatSection<FlatOption>
  let products: FlatSection<FlatProduct>
  let variants: FlatSection<FlatVariant>
  let nutrition: FlatSection<FlatNutrition>
  let priceTiers: FlatSection<FlatTier>
  let parts: FlatSection<FlatPart>
  let tags: FlatSection<UInt32>
  let linkedIDs: FlatSection<Int>
  let hours: FlatSection<FlatHours>
  let allergens: FlatSection<UInt8>
  let overrides: FlatSection<FlatOverride>
  let textStarts: FlatSection<UInt32>
  let text: FlatSection<UInt8>
  let menus: FlatSection<FlatMenu>

  /// Checks the header and finds the sections.
  ///
  /// - Parameter owner: what keeps the bytes; nil where the caller does, for as long as the image is
  ///   used.
  /// - Throws: ``FlatFault``.
  init(_ bytes: UnsafeRawBufferPointer, owner: AnyObject? = nil) throws {
    self.bytes = bytes
    self.owner = owner
    var layout = try FlatLayout(bytes)
    menus = layout.next("menus")
    categories = layout.next("categories")
    ingredients = layout.next("ingredients")
    modifierGroups = layout.next("modifier groups")
    modifiers = layout.next("modifiers")
    sizePrices = layout.next("size prices")
    stopList = layout.next("stop list entries")
    translations = layout.next("translations")
    productIndex = layout.next("product index entries")
    comboIndex = layout.next("combo index entries")
    combos = layout.next("combos")
    slots = layout.next("slots")
    optionLists = layout.next("option lists")
    options = layout.next("options")
    products = layout.next("products")
    variants = layout.next("variants")
    nutrition = layout.next("nutrition records")
    priceTiers = layout.next("price tiers")
    parts = layout.next("product ingredients")
    tags = layout.next("tags")
    linkedIDs = layout.next("linked ids")
    hours = layout.next("hours")
    allergens = layout.next("allergens")
    overrides = layout.next("store overrides")
    textStarts = layout.next("text starts")
    text = layout.next("bytes of text")
    try layout.finish()
  }

  /// The file's bytes as data that keeps their owner.
  func data() -> Data {
    guard let start = bytes.baseAddress else { return Data() }
    return Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count,
      deallocator: .custom { [owner] _, _ in withExtendedLifetime(owner) {} })
  }

  /// The menu's own fields.
  func menu() throws -> FlatMenu { try menus.record(0) }

  /// The menu's own products, without the copies that differ.
  func ownProducts() throws -> FlatRun<FlatProduct> {
    try products.run(FlatRange(count: try menu().products))
  }

  /// Compares the checksum: every byte after it is read.
  ///
  /// - Throws: ``FlatFault`` where they differ.
  func verify() throws {
    let offset = FlatFormat.checksumOffset
    let covered = UnsafeRawBufferPointer(rebasing: bytes[(offset + 8)...])
    let said = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    guard FlatHash.hash(covered) == said else {
      throw FlatFault(reason: "the file is damaged: its checksum differs", offset: offset)
    }
  }
}

/// Where a text stands among the bytes of text.
extension FlatImage {
  /// The bytes of a text, in place; they are not known to be UTF-8.
  @inline(__always)
  func textBytes(_ number: UInt32) throws -> UnsafeRawBufferPointer {
    let ends = try textStarts.run(FlatRange(start: number, count: 2))
    guard ends[0] <= ends[1] else { throw backwards(number) }
    return try text.run(FlatRange(start: ends[0], count: ends[1] - ends[0])).bytes
  }

  /// Every text, made and checked once.
  func texts() throws -> [String] {
    let count = textStarts.count - 1
    guard count > 0 else { return [] }
    return try Array(unsafeUninitializedCapacity: count) { buffer, made in
      while made < count {
        buffer.initializeElement(at: made, to: try makeText(UInt32(made)))
        made += 1
      }
    }
  }

  /// A text of its own.
  ///
  /// - Throws: ``FlatFault`` where it is not UTF-8.
  @inline(__always)
  func makeText(_ number: UInt32) throws -> String {
    let bytes = try textBytes(number)
    guard let text = String(utf8: bytes) else { throw noUTF8(number) }
    return text
  }

  @inline(never)
  private func noUTF8(_ number: UInt32) -> FlatFault {
    FlatFault(reason: "text \(number) is not UTF-8", offset: textStarts.offset)
  }

  @inline(never)
  private func backwards(_ number: UInt32) -> FlatFault {
    FlatFault(reason: "text \(number) ends before it begins", offset: textStarts.offset)
  }
}

/// Gives texts by their numbers.
protocol FlatTextSource {
  /// A text.
  ///
  /// - Throws: ``FlatFault`` where there is none of the number, or it is not UTF-8.
  func text(_ number: UInt32) throws -> String
}

extension FlatTextSource {
  /// A text that may be absent.
  @inline(__always)
  func optional(_ number: UInt32) throws -> String? {
    guard number != FlatFormat.none else { return nil }
    return try text(number)
  }
}

/// Each text is made when it is asked for: for a part of a menu.
extension FlatImage: FlatTextSource {
  @inline(__always)
  func text(_ number: UInt32) throws -> String { try makeText(number) }
}

/// Every text of a file, made once and shared: for a whole menu.
struct FlatTextTable: FlatTextSource {
  private let texts: [String]
  private let offset: Int

  init(_ image: FlatImage) throws {
    texts = try image.texts()
    offset = image.textStarts.offset
  }

  @inline(__always)
  func text(_ number: UInt32) throws -> String {
    guard Int(number) < texts.count else { throw missing(number) }
    return texts[Int(number)]
  }

  @inline(never)
  private func missing(_ number: UInt32) -> FlatFault {
    FlatFault(reason: "there is no text \(number) of the \(texts.count)", offset: offset)
  }
}

/// Arrays made from the records of one section: of a whole menu a list that the file keeps once is
/// made once, and its storage shared.
struct FlatLists<Record: FlatRecord, Element> {
  private let section: FlatSection<Record>
  /// The arrays made, by where their records begin; empty where none is kept.
  private var made: [[Element]]
  /// How many records the arrays kept are of.
  private var used = 0

  /// - Parameter isShared: whether a list is kept when it was made.
  init(_ section: FlatSection<Record>, isShared: Bool) {
    self.section = section
    made = isShared ? Array(repeating: [], count: section.count) : []
  }

  /// The array of some records.
  @inline(__always)
  mutating func list(
    _ range: FlatRange, _ element: (Record) throws -> Element
  ) throws -> [Element] {
    if let known = known(range) { return known }
    let list = try array(section.run(range), element)
    try keep(list, of: range)
    return list
  }

  /// The array of some records, where it was made before.
  @inline(__always)
  func known(_ range: FlatRange) -> [Element]? {
    guard range.count > 0 else { return [] }
    let place = Int(range.start)
    guard place < made.count, made[place].count == Int(range.count) else { return nil }
    return made[place]
  }

  /// Keeps the array of some records, which must be there.
  ///
  /// - Throws: ``FlatFault`` where lists overlap. Two are the same or have no record in common, else a
  ///   file could cost the square of its length.
  @inline(__always)
  mutating func keep(_ list: [Element], of range: FlatRange) throws {
    guard !made.isEmpty else { return }
    made[Int(range.start)] = list
    used += list.count
    guard used <= section.count else { throw overlapping() }
  }

  @inline(never)
  private func overlapping() -> FlatFault {
    FlatFault(
      reason: "lists of the \(section.count) \(section.name) overlap", offset: section.offset)
  }
}

/// An array with an element for each of some records.
@inline(__always)
func array<Record: FlatRecord, Element>(
  _ records: FlatRun<Record>, _ element: (Record) throws -> Element
) throws -> [Element] {
  guard records.count > 0 else { return [] }
  return try Array(unsafeUninitializedCapacity: records.count) { buffer, count in
    while count < records.count {
      buffer.initializeElement(at: count, to: try element(records[count]))
      count += 1
    }
  }
}
