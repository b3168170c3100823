import MenuModel

/// A backend that reads one product without the rest of the menu.
public protocol ProductReading: Backend where Document == Menu {
  /// The product of an id as the menu stored last has it; nil where that menu has none.
  ///
  /// - Throws: ``StoreError`` where nothing was written or the store failed.
  func product(_ id: Int) throws -> Product?
}

/// A backend that resolves one combo without reading the rest of the menu.
public protocol ComboReading: Backend where Document == Menu {
  /// The combo of an id with its options and products; nil where the menu has none.
  ///
  /// - Throws: ``StoreError`` where nothing was written or the store failed.
  func combo(_ id: Int) throws -> ResolvedCombo?
}

/// A backend that reads what an app shows first without the rest of the menu.
public protocol FirstScreenReading: Backend where Document == Menu {
  /// What `Menu.firstScreen()` gives of the menu stored last.
  ///
  /// - Throws: ``StoreError`` where nothing was written or the store failed.
  func firstScreen() throws -> FirstScreen
}

/// A backend that changes prices and availability in place.
public protocol MenuPatching: Backend where Document == Menu {
  /// Changes the stored menu as `Menu.apply(_:)` would, in one transaction at the store's
  /// durability.
  ///
  /// - Throws: `UnknownPatchTarget` where the patch names what is not there, ``StoreError`` where
  ///   the store failed; either leaves the menu as it was.
  func apply(_ patch: MenuPatch) throws
}

/// A backend that finds products by a piece of their name without reading the rest into the program.
public protocol NameSearching: Backend where Document == Menu {
  /// The ids that `NameSearch.products(of:named:)` finds in the stored menu, in its order.
  func products(named query: String) throws -> [Int]
}

/// A backend that filters and sorts products without reading the rest into the program.
public protocol ProductFiltering: Backend where Document == Menu {
  /// The ids that `ProductFilter.products(of:)` finds in the stored menu, in its order.
  func products(passing filter: ProductFilter) throws -> [Int]
}

/// A backend by which a running process holds the document that it stored or loaded last: what an app
/// reads from then on touches no store.
public protocol DocumentHolding<Document>: Backend {
  /// The document that the process holds.
  ///
  /// - Throws: ``StoreError`` where it holds none yet.
  func held() throws -> Document
}

/// A backend that appends what it saves to a log, which the commit that fills it copies into the store.
///
/// That one commit in so many pays for all: what is timed for less than that, or from an empty log on,
/// sees none of it.
public protocol LogKeeping<Document>: Backend {
  /// Leaves the log to ``checkpoint()``, or to the commits that fill it, as it is unless told.
  func deferCheckpoints(_ isDeferred: Bool) throws
  /// How full the log is, as of the last commit: from 1 on that commit would have copied it. Nil where
  /// the store, at its durability, keeps no log, and before ``deferCheckpoints(_:)``.
  var logFill: Double? { get }
  /// Copies the log into the store, as the commit that fills it would.
  ///
  /// - Throws: ``StoreError``, also where a reader kept some of the log from being copied.
  func checkpoint() throws
}

/// A backend whose store can be read by a second handle, from another thread, while the first one
/// writes.
public protocol ConcurrentReading: Backend {
  /// Whether that holds of this store: of a file that is rewritten in place it does not, and handles
  /// then have to take turns.
  var readsBesideWriter: Bool { get }
  /// Opens a reader of the same store. It sees the last document that was written whole, never a
  /// torn one, and is closed before the backend is.
  func openReader() throws -> any Backend<Document>
}

extension ConcurrentReading {
  /// It holds at every durability.
  public var readsBesideWriter: Bool { true }
}

extension Backend {
  /// It as one that is read while it writes; nil where handles have to take turns.
  package var concurrent: (any ConcurrentReading)? {
    guard let reading = self as? any ConcurrentReading, reading.readsBesideWriter else {
      return nil
    }
    return reading
  }
}

/// A backend whose files keep room that its menu no longer needs, and that can give it back.
///
/// A file that is replaced whole has none. LMDB has, but only copies a store in compact form
/// (`mdb_env_copy2` with MDB_CP_COMPACT, lmdb.h): put in the old file's place, it would be one that
/// other handles and processes, which have the old one mapped, neither see nor write.
public protocol Compacting: Backend {
  /// Makes the store as small as its menu allows, which is the same afterwards. Needs as much room
  /// again while it works.
  ///
  /// - Throws: ``StoreError``; the menu is then as it was.
  func compact() throws
}

/// A backend that keeps its menu across changes of what a menu is made of.
///
/// What it is opened with, whatever program wrote it, is the app's own code: opening brings a store of
/// an older program up to date or leaves it to be read as it is, and refuses what it cannot read.
public protocol SchemaChanging: Backend where Document == Menu {
  /// What opening a store from the other side of a change comes to: ``Route/native`` where it is
  /// brought up to date, ``Route/asItIs`` where its menu is read as the other program left it, and
  /// ``Route/fetchedAnew`` where it is refused.
  func route(across change: SchemaChange) -> Route
  /// Stores a menu as the program on the other side of a change would have, for this program to meet
  /// at its next start. Never timed; nothing but ``Backend/close()`` is called after it.
  func save(_ menu: Menu, across change: SchemaChange) throws
}

extension SchemaChanging {
  /// What other programs left is read as it is, every time.
  public func route(across change: SchemaChange) -> Route { .asItIs }
}
