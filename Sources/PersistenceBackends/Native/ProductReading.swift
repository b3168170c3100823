import MenuModel

/// A backend that reads one product without the rest of the menu.
public protocol ProductReading: Backend where Document == Menu {
  /// A product, or a view of the bytes that hold it, valid until the next call on the backend.
  associatedtype ProductPart: NamedPart

  /// The product of an id as the menu stored last has it; nil where that menu has none.
  ///
  /// - Throws: ``StorageError`` where nothing was written or the storage failed.
  func product(_ id: Int) throws -> ProductPart?
}
