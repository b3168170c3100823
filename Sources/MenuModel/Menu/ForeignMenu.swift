import BenchDocuments

/// A menu that is encoded as the program on the other side of a ``SchemaChange`` encodes it. Any
/// codec can write it, so that this program can read it.
package struct ForeignMenu: BenchDocument {
  private let menu: Menu
  private let change: SchemaChange

  /// Wraps a menu, to encode it as an older program or, for `back`, a newer one does.
  package init(_ menu: Menu, across change: SchemaChange) {
    self.menu = menu
    self.change = change
  }

  /// Decodes a ``Menu`` as this program does.
  package init(from decoder: any Decoder) throws {
    self.init(try Menu(from: decoder), across: .back)
  }

  /// Encodes the menu as the other program does.
  package func encode(to encoder: any Encoder) throws {
    try ForeignPart(part: menu, change: change).encode(to: encoder)
  }

  /// Adds nothing, since the value is only written and never read.
  package func visit(_ checksum: inout Checksum) {}
  /// Returns itself.
  package func revised(_ number: Int) -> Self { self }
  /// The number of products.
  package var counts: [(of: String, count: Int)] { [("product", menu.products.count)] }
}

/// A type that may contain a product or a variant. All other types encode themselves.
private protocol HoldsProducts {}
extension Menu: HoldsProducts {}
extension OptionList: HoldsProducts {}
extension Combo: HoldsProducts {}
extension Slot: HoldsProducts {}
extension SlotOption: HoldsProducts {}
extension Product: HoldsProducts {}
extension Variant: HoldsProducts {}
extension Array: HoldsProducts where Element: HoldsProducts {}

/// A part of a menu. It is encoded like the compiler's `encode(to:)`: by field names, in their
/// order, except for the fields that differ in the other program.
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

  /// Returns a field as the other program encodes it, or nil if it is absent there.
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
