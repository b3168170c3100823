import MenuModel

/// A backend that reads what an app shows first without the rest of the menu.
public protocol FirstScreenReading: Backend where Document == Menu {
  /// A first screen, or a view of the bytes that hold it, valid until the next call on the backend;
  /// feeds a checksum as `FirstScreen` does.
  associatedtype ScreenPart: MenuPart

  /// What `Menu.firstScreen()` gives of the menu stored last.
  ///
  /// - Throws: ``StorageError`` where nothing was written or the storage failed.
  func firstScreen() throws -> ScreenPart
}
