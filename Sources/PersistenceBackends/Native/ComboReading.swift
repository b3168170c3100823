import MenuModel

/// A backend that resolves one combo without reading the rest of the menu.
public protocol ComboReading: Backend where Document == Menu {
  /// A resolved combo, or a view of the bytes that hold it, valid until the next call on the
  /// backend; feeds a checksum as ``ResolvedCombo`` does.
  associatedtype ComboPart: MenuPart

  /// The combo of an id with its options and products; nil where the menu has none.
  ///
  /// - Throws: ``StorageError`` where nothing was written or the storage failed.
  func combo(_ id: Int) throws -> ComboPart?
}
