import BenchDocuments

/// A menu as the program on the other side of a change encodes it (``SchemaChange``): it is written by
/// any codec, for this program to meet.
package struct ForeignMenu: BenchDocument {
  private let menu: Menu
  private let change: SchemaChange

  /// The menu as it was before a change, or as a newer program has it.
  package init(_ menu: Menu, across change: SchemaChange) {
    self.menu = menu
    self.change = change
  }

  /// Reads a menu as this program does: what was written is met by ``Menu`` itself.
  package init(from decoder: any Decoder) throws {
    self.init(try Menu(from: decoder), across: .back)
  }

  /// Writes what the other program would.
  package func encode(to encoder: any Encoder) throws {
    try ForeignPart(part: menu, change: change).encode(to: encoder)
  }

  /// Feeds nothing: it is written and never read.
  package func visit(_ checksum: inout Checksum) {}
  /// Itself.
  package func revised(_ number: Int) -> Self { self }
  /// The products.
  package var counts: [(of: String, count: Int)] { [("product", menu.products.count)] }
}

/// What may hold a product or a variant: all else is of either program alike, and encodes itself.
private protocol HoldsProducts {}
extension Menu: HoldsProducts {}
extension OptionList: HoldsProducts {}
extension Combo: HoldsProducts {}
extension Slot: HoldsProducts {}
extension SlotOption: HoldsProducts {}
extension Product: HoldsProducts {}
extension Variant: HoldsProducts {}
extension Array: HoldsProducts where Element: HoldsProducts {}

/// A part of a menu, which is encoded as the compiler's own `encode(to:)` does: by the names of its
/// fields, in their order, but for those that the other program has otherwise.
private struct ForeignPart: Encodable {
  let part: Any
  let change: SchemaChange

  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  func encode(to encoder: any Encoder) throws {
    guard part is any HoldsProducts else {
      try (part as? any Encodable)?.encode(to: encoder)
      return
    }
    let mirror = Mirror(reflecting: part)
    if mirror.displayStyle == .collection {
      try mirror.children.map { ForeignPart(part: $0.value, change: change) }.encode(to: encoder)
      return
    }
    var fields = encoder.container(keyedBy: Key.self)
    for case (let name?, let value) in mirror.children {
      guard let (name, value) = field(name, value) else { continue }
      try fields.encode(ForeignPart(part: value, change: change), forKey: Key(stringValue: name))
    }
    if change == .back, part is Product {
      try fields.encode(5, forKey: Key(stringValue: "rating"))
    }
  }

  /// What the other program has of a field; nil of what is absent.
  private func field(_ name: String, _ value: Any) -> (name: String, value: Any)? {
    switch (change, part, name) {
    case (.optional, is Product, "code"), (.required, is Product, "kind"),
      (.split, is Product, "name"):
      return nil
    case (.split, let product as Product, "details"): return ("label", product.label)
    case (.type, let variant as Variant, "price"): return ("amount", variant.amount)
    default:
      let mirror = Mirror(reflecting: value)
      guard mirror.displayStyle == .optional else { return (name, value) }
      return mirror.children.first.map { (name, $0.value) }
    }
  }
}
