import Basics
import Foundation
import MenuModel
import Synchronization

extension BackendEntry {
  /// `cached-json`: a value in memory with a JSON file behind it.
  public static var cachedJSON: Self {
    Self(
      id: "cached-json", summary: "the value in memory, and a JSON file for the next start",
      caveat: "cached-json loads from its file, as an app does at its start. After that, the app "
        + "reads the menu in memory. It continues if the file cannot be written. Such a cell fails "
        + "when it closes, so every figure is of written files. Each write also frees the menu "
        + "that was held before",
      library: .foundation, promises: .durable,
      belowFloor: ["read-back": "the process holds the menu in memory and does not touch the store"]
    ) { store in
      CachedJSONBackend<Document>(file: store.path("menu.json"), durability: store.durability)
    }
    .beyond(
      CodecAndPlace(codec: "json", place: "file"),
      "reads parts from the document that it holds in memory"
    ).advised(PlaceEntry.file.advice)
  }
}

/// Keeps a document in memory, and in a JSON file for the next start.
///
/// The file is read once, if nothing was written since the store was opened or its caches were
/// dropped. If it can't be written, for example for lack of space, the value in memory still
/// counts. The old file then stays whole (unless the durability is `none`), and ``fileFailure``
/// gives the reason. Any thread may read while another writes: it gets the old value or the new
/// one.
package final class CachedJSONBackend<Document: BenchDocument>: Backend, Sendable {
  let store: CachedStore<Document>
  private let isReader: Bool

  /// Opens a store. Its file is not read until it is needed.
  package convenience init(file: String, durability: Durability = .atomic) {
    self.init(CachedStore(path: file, durability: durability), isReader: false)
  }

  private init(_ store: CachedStore<Document>, isReader: Bool) {
    self.store = store
    self.isReader = isReader
  }

  /// The reason why the file does not hold the value in memory, or nil if it does.
  package var fileFailure: StoreError? { store.failure }

  package func encode(_ document: Document) throws -> CachedDocument<Document> {
    try store.encode(document)
  }

  /// Keeps the value, then replaces the file. Does not throw if the file can't be written: see
  /// `fileFailure`.
  package func write(_ payload: CachedDocument<Document>) throws {
    try store.replace(with: payload)
  }

  /// Returns the value in memory, or the file's JSON if there is none.
  package func read() throws -> CachedDocument<Document> { try store.read() }

  /// Returns the payload's value. A value decoded from JSON is kept in memory from then on.
  package func decode(_ payload: CachedDocument<Document>) throws -> Document {
    try store.decode(payload)
  }

  package func size(of payload: CachedDocument<Document>) -> Size { .bytes(payload.fileLength) }

  /// Forgets the value in memory, as the app's end would. If the file could not be written, the
  /// value is the only copy, so it is kept.
  package func dropCaches() throws { store.forget() }

  /// Throws ``fileFailure`` if there is one: the value in memory is lost unsaved.
  package func close() throws {
    if !isReader, let failure = fileFailure { throw failure }
  }
}

extension CachedJSONBackend: DocumentHolding, ConcurrentReading {
  package func held() throws -> Document { try store.held() }

  /// Returns another handle on the same value.
  package func openReader() throws -> any Backend<Document> {
    CachedJSONBackend(store, isReader: true)
  }
}

extension CachedJSONBackend: ProductReading, ComboReading where Document == Menu {
  package func product(_ id: Int) throws -> Product? { try lookup().product(id) }
  package func combo(_ id: Int) throws -> ResolvedCombo? { try lookup().combo(id) }

  private func lookup() throws -> MenuLookup { try store.value().index(MenuLookup.init) }
}

extension CachedJSONBackend: NameSearching, ProductFiltering where Document == Menu {
  /// Searches the names' keys, which are made once for the value in memory.
  package func products(named query: String) throws -> [Int] {
    try store.value().index(ProductNames.init).products(named: query)
  }

  /// Walks over all products, because there is no index of categories.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    filter.products(of: try store.value().document)
  }
}

extension CachedJSONBackend: MenuPatching where Document == Menu {
  /// Changes the value in memory, then writes the whole file as ``write(_:)`` does.
  package func apply(_ patch: MenuPatch) throws { try store.change { try $0.apply(patch) } }
}

extension CachedJSONBackend: SchemaChanging where Document == Menu {
  /// Writes only the file, because the other program's value in memory ends with its process.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try store.writeFile(JSONCodec().encode(ForeignMenu(menu, across: change)))
  }
}

/// A value in memory and the file behind it, for any number of threads.
///
/// Readers take the value under a lock that is held only while a reference is copied. A second lock
/// is for threads that write or load the file.
final class CachedStore<Document: BenchDocument>: Sendable {
  private let file: WholeFile
  private let codec = JSONCodec()
  private let writing = NSLock()
  private let state = Mutex(State())

  private struct State {
    var kept: KeptValue<Document>?
    var failure: StoreError?
  }

  init(path: String, durability: Durability) {
    file = WholeFile(path: path, durability: durability)
  }

  var failure: StoreError? { state.withLock { $0.failure } }

  func encode(_ document: Document) throws -> CachedDocument<Document> {
    let json = try codec.encode(document)
    return CachedDocument(document: document, fileLength: json.count, json: json)
  }

  /// Keeps a document, then writes its file. If that fails, `failure` holds the error.
  func replace(with payload: CachedDocument<Document>) throws {
    let document = try payload.document ?? decoded(payload.json)
    let json = try payload.json ?? codec.encode(document)
    writing.withLock { store(document, json) }
  }

  /// Returns the value in memory, or the file's JSON if there is none.
  func read() throws -> CachedDocument<Document> {
    if let kept = state.withLock({ $0.kept }) {
      return CachedDocument(document: kept.document, fileLength: kept.fileLength, json: nil)
    }
    let json = try file.read()
    return CachedDocument(document: nil, fileLength: json.count, json: json)
  }

  /// Returns a payload's document. Keeps one decoded from JSON, unless another was kept meanwhile.
  func decode(_ payload: CachedDocument<Document>) throws -> Document {
    if let document = payload.document { return document }
    let value = KeptValue(try decoded(payload.json), fileLength: payload.fileLength)
    state.withLock { if $0.kept == nil { $0.kept = value } }
    return value.document
  }

  func held() throws -> Document {
    guard let kept = state.withLock({ $0.kept }) else {
      throw StoreError(operation: "read", path: "memory", reason: "nothing is held yet")
    }
    return kept.document
  }

  /// Forgets the value in memory if the file holds it too.
  func forget() {
    guard failure == nil else { return }
    writing.withLock { keep(nil) }
  }

  /// Changes the kept value, without any other change in between.
  func change(_ change: (inout Document) throws -> Void) throws {
    try writing.withLock {
      var document = try loaded().document
      try change(&document)
      store(document, try codec.encode(document))
    }
  }

  /// Returns the value in memory. Loads it from the file if none is kept.
  func value() throws -> KeptValue<Document> {
    if let kept = state.withLock({ $0.kept }) { return kept }
    return try writing.withLock { try loaded() }
  }

  /// Replaces the file, but not the value in memory.
  func writeFile(_ json: Data) throws { try json.withUnsafeBytes { try file.write($0) } }

  private func store(_ document: Document, _ json: Data) {
    keep(KeptValue(document, fileLength: json.count))
    let failure = save(json)
    state.withLock { $0.failure = failure }
  }

  private func keep(_ value: KeptValue<Document>?) {
    // Freeing the old value takes long, so it happens outside the lock that readers take.
    let old = state.withLock { state in
      let old = state.kept
      state.kept = value
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func save(_ json: Data) -> StoreError? {
    do {
      try writeFile(json)
      return nil
    } catch {
      return error as? StoreError
        ?? StoreError(operation: "write", path: file.path, reason: systemReason(error))
    }
  }

  private func loaded() throws -> KeptValue<Document> {
    if let kept = state.withLock({ $0.kept }) { return kept }
    let json = try file.read()
    let value = KeptValue(try decoded(json), fileLength: json.count)
    keep(value)
    return value
  }

  private func decoded(_ json: Data?) throws -> Document {
    let json = json ?? Data()
    do {
      return try codec.decode(Document.self, from: json)
    } catch {
      let fault = (error as? DecodingError)?.briefly ?? systemReason(error)
      throw StoreError(
        operation: "read", path: file.path,
        reason: "its \(json.count) bytes are not the expected JSON: \(fault)")
    }
  }
}

/// A payload: a value for memory, its JSON for the file behind it, or both.
package struct CachedDocument<Document: BenchDocument>: Sendable {
  /// The value, which all readers share. Nil if the payload was read from the file.
  package let document: Document?
  let fileLength: Int
  /// The JSON that goes into the file or came from it. Nil if the payload was read from memory.
  let json: Data?
}

extension CachedDocument: Equatable {
  package static func == (a: Self, b: Self) -> Bool {
    a.fileLength == b.fileLength && a.document == b.document
  }
}

extension CachedDocument: Hashable where Document: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(document)
    hasher.combine(fileLength)
  }
}

/// A value in memory with its indexes, which are dropped when the value is replaced.
final class KeptValue<Document: BenchDocument>: Sendable {
  let document: Document
  let fileLength: Int
  private let indexes = Mutex<[ObjectIdentifier: any Sendable]>([:])

  init(_ document: Document, fileLength: Int) {
    self.document = document
    self.fileLength = fileLength
  }

  /// Returns the index of a type, which is made on first use.
  func index<Index: AnyObject & Sendable>(_ make: (Document) -> Index) -> Index {
    indexes.withLock { indexes in
      let key = ObjectIdentifier(Index.self)
      if let made = indexes[key] as? Index { return made }
      let made = make(document)
      indexes[key] = made
      return made
    }
  }
}

/// Finds a menu's products, combos and option lists by id. If two have one id, the first counts.
final class MenuLookup: Sendable {
  private let menu: Menu
  private let products: [Int: Int]
  private let combos: [Int: Int]
  private let resolver: SlotResolver

  init(_ menu: Menu) {
    self.menu = menu
    products = Self.places(of: menu.products.lazy.map(\.id))
    combos = Self.places(of: menu.combos.lazy.map(\.id))
    resolver = SlotResolver(menu)
  }

  package func product(_ id: Int) -> Product? { products[id].map { menu.products[$0] } }

  package func combo(_ id: Int) -> ResolvedCombo? {
    guard let combo = combos[id].map({ menu.combos[$0] }) else { return nil }
    let options = combo.slots.map(resolver.options)
    var seen: Set<Int> = []
    // The lazy sequence may be walked only once: a second walk would find every product seen.
    let named = options.joined().lazy.map(\.productID).filter { seen.insert($0).inserted }
    return ResolvedCombo(combo: combo, options: options, products: named.compactMap(product))
  }

  private static func places(of ids: some Sequence<Int>) -> [Int: Int] {
    Dictionary(ids.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

/// The keys of a menu's product names. They are made and sorted once, and searches walk over them.
final class ProductNames: Sendable {
  private let names: [(id: Int, key: [UInt8])]

  init(_ menu: Menu) {
    names = menu.products.map { (id: $0.id, key: NameSearch.key($0.name)) }
      .sorted { NameSearch.precedes($0, $1) }
      .map { ($0.id, Array($0.key.utf8)) }
  }

  func products(named query: String) -> [Int] {
    let wanted = Array(NameSearch.key(query).utf8)
    return names.filter { NameSearch.contains($0.key, wanted) }.map(\.id)
  }
}
