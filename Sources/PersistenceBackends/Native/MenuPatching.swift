import MenuModel

/// A backend that changes prices and availability in place.
public protocol MenuPatching: Backend where Document == Menu {
  /// Changes the stored menu as ``Menu/apply(_:)`` would, in one transaction at the store's
  /// durability.
  ///
  /// - Throws: `UnknownPatchTarget` where the patch names what is not there, ``StorageError`` where
  ///   the storage failed; either leaves the menu as it was.
  func apply(_ patch: MenuPatch) throws
}
