import Foundation
import MenuModel

/// A backend that reads one product without the rest of the menu.
public protocol ProductReading: Backend where Document == Menu {
  /// Returns the product with an id from the menu stored last, or nil if that menu has none.
  ///
  /// - Throws: ``StoreError`` if nothing was written or the store failed.
  func product(_ id: Int) throws -> Product?
}

/// A backend that resolves one combo without reading the rest of the menu.
public protocol ComboReading: Backend where Document == Menu {
  /// Returns the combo with an id, its options and products, or nil if the menu has none.
  ///
  /// - Throws: ``StoreError`` if nothing was written or the store failed.
  func combo(_ id: Int) throws -> ResolvedCombo?
}

/// A backend that reads the first screen's data without the rest of the menu.
public protocol FirstScreenReading: Backend where Document == Menu {
  /// Returns what `Menu.firstScreen()` returns for the menu stored last.
  ///
  /// - Throws: ``StoreError`` if nothing was written or the store failed.
  func firstScreen() throws -> FirstScreen
}

/// A backend that changes prices, availability and the stop list in place.
public protocol MenuPatching: Backend where Document == Menu {
  /// Changes the stored menu as `Menu.apply(_:)` would, in one transaction at the store's
  /// durability.
  ///
  /// - Throws: `UnknownPatchTarget` if the patch names something that the menu lacks,
  ///   ``StoreError`` if the store failed. Either leaves the menu unchanged.
  func apply(_ patch: MenuPatch) throws
}

/// A backend that finds products by a part of their name without reading the rest into the program.
public protocol NameSearching: Backend where Document == Menu {
  /// Returns the ids that `NameSearch.products(of:named:)` finds in the stored menu, in its order.
  func products(named query: String) throws -> [Int]
}

/// A backend that filters and sorts products without reading the rest into the program.
public protocol ProductFiltering: Backend where Document == Menu {
  /// Returns the ids that `ProductFilter.products(of:)` finds in the stored menu, in its order.
  func products(passing filter: ProductFilter) throws -> [Int]
}

/// A backend that keeps the document stored or loaded last in the process's memory. The app then
/// reads from memory and does not touch the store.
public protocol DocumentHolding<Document>: Backend {
  /// Returns the document in the process's memory.
  ///
  /// - Throws: ``StoreError`` if there is none yet.
  func held() throws -> Document
}

/// A backend whose codec also parses the network's responses. For every other backend, Foundation
/// parses a response of JSON.
public protocol ResponseParsing<Document>: Backend {
  /// Whether it also keeps the response as it came. An app that shows the menu from its store then
  /// parses no response before it stores it.
  var keepsResponse: Bool { get }
  /// Returns the response that brings a document. Never timed.
  func response(of document: Document) throws -> Data
  /// Turns a response into its document.
  func parse(_ response: Data) throws -> Document
}

extension ResponseParsing {
  /// False: it stores its own encoding.
  public var keepsResponse: Bool { false }
}

extension ResponseParsing where Payload == Data {
  /// Returns the document's encoding.
  public func response(of document: Document) throws -> Data { try encode(document) }
  /// Decodes the response.
  public func parse(_ response: Data) throws -> Document { try decode(response) }
}

/// A backend that appends saves to a log. The commit that fills the log copies it into the store.
///
/// That one commit pays for all the others. A measurement that has too few commits, or that starts
/// from an empty log, misses this cost.
public protocol LogKeeping<Document>: Backend {
  /// Leaves copying the log to ``checkpoint()`` if true, and to the commits that fill it if false.
  func deferCheckpoints(_ isDeferred: Bool) throws
  /// The fill of the log after the last commit: at 1 or more, that commit would have copied it. Nil
  /// if the store keeps no log at its durability, and before ``deferCheckpoints(_:)``.
  var logFill: Double? { get }
  /// Copies the log into the store, as the commit that fills it would.
  ///
  /// - Throws: ``StoreError``, also if a reader kept part of the log from being copied.
  func checkpoint() throws
}

/// A backend whose store a second handle can read, from another thread, while the first one writes.
public protocol ConcurrentReading: Backend {
  /// Whether this store can be read while it is written. A file that is rewritten in place can't,
  /// so its handles must take turns.
  var readsBesideWriter: Bool { get }
  /// Opens a reader of the same store. It always sees the last document that was written whole, and
  /// is closed before the backend is.
  func openReader() throws -> any Backend<Document>
}

extension ConcurrentReading {
  /// True at every durability.
  public var readsBesideWriter: Bool { true }
}

extension Backend {
  /// The backend as one that is read while it writes, or nil if handles must take turns.
  package var concurrent: (any ConcurrentReading)? {
    guard let reading = self as? any ConcurrentReading, reading.readsBesideWriter else {
      return nil
    }
    return reading
  }
}

/// A backend whose files keep space that its menu no longer needs, and that can give it back.
///
/// A file that is replaced whole has no such space. LMDB has, but it can only write a compact copy
/// (`mdb_env_copy2` with MDB_CP_COMPACT, lmdb.h). Other handles and processes have the old file
/// mapped, so they would neither see nor write a copy in its place.
public protocol Compacting: Backend {
  /// Makes the store as small as its unchanged menu allows. Needs as much space again while it
  /// works.
  ///
  /// - Throws: ``StoreError``, which leaves the menu unchanged.
  func compact() throws
}

/// A backend that keeps its menu when the schema changes.
///
/// The app's own code opens the store, whichever program wrote it. Opening migrates an older
/// program's store or leaves it to be read as it is. It refuses a store that it cannot read.
public protocol SchemaChanging: Backend where Document == Menu {
  /// Returns how a store from the other side of a change is opened: ``Route/native`` if it is
  /// migrated, ``Route/asItIs`` if its menu is read as the other program left it, and
  /// ``Route/refetched`` if it is refused.
  func route(across change: SchemaChange) -> Route
  /// Stores a menu as the program on the other side of a change would, for this program's next
  /// start. Never timed. Only ``Backend/close()`` is called after it.
  func save(_ menu: Menu, across change: SchemaChange) throws
}

extension SchemaChanging {
  /// Stores of other programs are always read as they are.
  public func route(across change: SchemaChange) -> Route { .asItIs }
}
