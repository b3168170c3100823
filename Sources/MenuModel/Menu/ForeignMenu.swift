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
/// fields, but for those that the other program has otherwise.
private struct ForeignPart: Encodable {
  let part: Any
  let change: SchemaChange

  func encode(to encoder: any Encoder) throws {
    guard part is any HoldsProducts else {
      try (part as? any Encodable)?.encode(to: encoder)
      return
    }
    if Mirror(reflecting: part).displayStyle == .collection {
      try Mirror(reflecting: part).children.map { other($0.value) }.encode(to: encoder)
    } else {
      try fields.mapValues(other).encode(to: encoder)
    }
  }

  private func other(_ part: Any) -> ForeignPart { ForeignPart(part: part, change: change) }

  /// What the other program has of a struct; nothing of what is absent.
  private var fields: [String: Any] {
    var fields: [String: Any] = [:]
    for case (let name?, let value) in Mirror(reflecting: part).children {
      let mirror = Mirror(reflecting: value)
      fields[name] = mirror.displayStyle == .optional ? mirror.children.first?.value : value
    }
    switch (change, part) {
    case (.optional, is Product): fields["code"] = nil
    case (.required, is Product): fields["kind"] = nil
    case (.split, let product as Product):
      fields["name"] = nil
      fields["details"] = nil
      fields["label"] = product.label
    case (.type, let variant as Variant):
      fields["price"] = nil
      fields["amount"] = variant.amount
    case (.back, is Product): fields["rating"] = 5
    default: break
    }
    return fields
  }
}
