import Basics
import Foundation
import MenuModel
import Synchronization

extension PlaceEntry {
  /// `held`: the process's memory, with a file behind it.
  public static var held: Self {
    Self(
      id: "held", summary: "in one file behind the value in memory",
      caveat: "The app loads the file at its start. After that, it reads the menu in memory. It "
        + "continues if the file cannot be written. Such a cell fails when it closes, so every "
        + "figure is of written files. Each write also frees the menu that was held before. The "
        + "first read of a part after a save makes an index, which product and combo leave out",
      library: .foundation, survivesRestart: true, flushedFrom: .atomic, promises: .durable,
      belowFloor: [
        "read-back": "the process holds the menu in memory and does not touch the store"
      ],
      advice: file.advice, opener: HeldOpener())
  }
}

private struct HeldOpener: PlaceOpener {
  func backend<C: DocumentCodec & SendableMetatype>(
    of codec: @escaping @Sendable () throws -> C, fileExtension: String
  ) -> TypedOpening<C.Document> {
    let name = "menu." + fileExtension
    return (HeldBackend<C>.self, { HeldBackend(try codec(), $0, name: name) })
  }
}

/// Keeps a document in memory, and its bytes in a file for the next start.
///
/// The file is read once, if nothing was written since the store was opened or its caches were
/// dropped. If it can't be written, for example for lack of space, the value in memory still
/// counts. The old file then stays whole (unless the durability is `none`), and ``fileFailure``
/// gives the reason. Any thread may read by a handle of its own while another writes: it gets the
/// old value or the new one. Each handle has its own codec.
package final class HeldBackend<C: DocumentCodec>: Backend {
  package typealias Document = C.Document

  private let codec: C
  private let store: HeldStore<Document>
  private let isReader: Bool

  /// Opens a store, with a file of this name. The file is not read until it is needed.
  package convenience init(_ codec: C, _ store: StoreContext, name: String) {
    let file = WholeFile(path: store.path(name), durability: store.durability)
    self.init(codec, HeldStore(file), isReader: false)
  }

  private init(_ codec: C, _ store: HeldStore<Document>, isReader: Bool) {
    self.codec = codec
    self.store = store
    self.isReader = isReader
  }

  /// The reason why the file does not hold the value in memory, or nil if it does.
  package var fileFailure: StoreError? { store.failure }

  package func encode(_ document: Document) throws -> HeldDocument<Document> {
    let bytes = try bytes(of: document)
    return HeldDocument(document: document, fileLength: bytes.count, bytes: bytes)
  }

  /// Keeps the value, then replaces the file. Does not throw if the file can't be written: see
  /// `fileFailure`.
  package func write(_ payload: HeldDocument<Document>) throws {
    let document = try payload.document ?? document(of: payload.bytes ?? Data())
    store.replace(with: document, try payload.bytes ?? bytes(of: document))
  }

  /// Returns the value in memory, or the file's bytes if there is none.
  package func read() throws -> HeldDocument<Document> {
    let (kept, writes) = store.current
    if let kept {
      return HeldDocument(document: kept.document, fileLength: kept.fileLength, bytes: nil)
    }
    let bytes = try store.file.read()
    return HeldDocument(document: nil, fileLength: bytes.count, bytes: bytes, writes: writes)
  }

  /// Returns the payload's value. A value decoded from bytes is kept in memory from then on, unless
  /// another was written since they were read.
  package func decode(_ payload: HeldDocument<Document>) throws -> Document {
    if let document = payload.document { return document }
    let document = try document(of: payload.bytes ?? Data())
    store.keepLoaded(HeldValue(document, fileLength: payload.fileLength), after: payload.writes)
    return document
  }

  package func size(of payload: HeldDocument<Document>) -> Size { .bytes(payload.fileLength) }

  /// Forgets the value in memory, as the app's end would. If the file could not be written, the
  /// value is the only copy, so it is kept.
  package func dropCaches() throws { store.forget() }

  /// Throws ``fileFailure`` if there is one: the value in memory is lost unsaved.
  package func close() throws {
    if !isReader, let failure = fileFailure { throw failure }
  }

  private func bytes(of document: Document) throws -> Data {
    try located("encode", store.file.path) { try codec.encode(document) }
  }

  private func document(of bytes: Data) throws -> Document {
    do {
      return try codec.decode(bytes)
    } catch {
      let fault =
        (error as? any StoreFault)?.reason ?? (error as? DecodingError)?.briefly
        ?? systemReason(error)
      throw StoreError(
        operation: "read", path: store.file.path,
        reason: "its \(bytes.count) bytes cannot be decoded: \(fault)")
    }
  }
}

extension HeldBackend: DocumentHolding, ConcurrentReading {
  package func held() throws -> Document {
    guard let kept = store.kept else {
      throw StoreError(operation: "read", path: "memory", reason: "nothing is held yet")
    }
    return kept.document
  }

  /// Returns another handle on the same value.
  package func openReader() throws -> any Backend<Document> {
    HeldBackend(try codec.twin(), store, isReader: true)
  }
}

extension HeldBackend: ResponseParsing where C: ResponseCodec {
  package func response(of document: Document) throws -> Data { try codec.encode(document) }
  package func parse(_ response: Data) throws -> Document { try codec.decode(response) }
}

extension HeldBackend: ProductReading, ComboReading where C.Document == Menu {
  package func product(_ id: Int) throws -> Product? { try lookup().product(id) }
  package func combo(_ id: Int) throws -> ResolvedCombo? { try lookup().combo(id) }

  private func lookup() throws -> MenuLookup { try value().index(MenuLookup.init) }

  private func value() throws -> HeldValue<Menu> { try store.value(decoding: document(of:)) }
}

extension HeldBackend: NameSearching, ProductFiltering where C.Document == Menu {
  /// Searches the names' keys, which are made once for the value in memory.
  package func products(named query: String) throws -> [Int] {
    try value().index(ProductNames.init).products(named: query)
  }

  /// Walks over all products, because there is no index of categories.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    filter.products(of: try value().document)
  }
}

extension HeldBackend: MenuPatching where C.Document == Menu {
  /// Changes the value in memory, then writes the whole file as ``write(_:)`` does.
  package func apply(_ patch: MenuPatch) throws {
    try store.change(decoding: document(of:)) { menu in
      try menu.apply(patch)
      return try bytes(of: menu)
    }
  }
}

extension HeldBackend: SchemaChanging where C: MenuCodec {
  /// Writes only the file, because the other program's value in memory ends with its process.
  package func save(_ menu: Menu, across change: SchemaChange) throws {
    try store.writeFile(codec.encode(menu, across: change))
  }
}

/// A value in memory and the file behind it, for any number of threads.
///
/// Readers take the value under a lock that is held only while a reference is copied. A second lock
/// is for threads that write or load the file.
final class HeldStore<Document: BenchDocument>: Sendable {
  let file: WholeFile
  private let writing = NSLock()
  private let state = Mutex(State())

  private struct State {
    var kept: HeldValue<Document>?
    var failure: StoreError?
    var writes = 0
  }

  init(_ file: WholeFile) { self.file = file }

  /// The value in memory, or nil if there is none.
  var kept: HeldValue<Document>? { state.withLock { $0.kept } }
  /// The value in memory, and the number of writes so far.
  var current: (kept: HeldValue<Document>?, writes: Int) {
    state.withLock { ($0.kept, $0.writes) }
  }
  /// The reason why the file could not be written, or nil if it could.
  var failure: StoreError? { state.withLock { $0.failure } }

  /// Keeps a document, then writes its file. If that fails, `failure` holds the error.
  func replace(with document: Document, _ bytes: Data) {
    writing.withLock { store(document, bytes) }
  }

  /// Keeps a value that the file held after so many writes, unless another was written or kept since.
  func keepLoaded(_ value: HeldValue<Document>, after writes: Int) {
    state.withLock { if $0.kept == nil, $0.writes == writes { $0.kept = value } }
  }

  /// Forgets the value in memory if the file holds it too.
  func forget() {
    // Within the lock, because a write keeps its value before it knows whether the file has it.
    writing.withLock { if failure == nil { keep(nil) } }
  }

  /// Changes the kept value, without any other change in between.
  ///
  /// - Parameter change: changes a document and returns its new bytes.
  func change(
    decoding decode: (Data) throws -> Document, _ change: (inout Document) throws -> Data
  ) throws {
    try writing.withLock {
      var document = try loaded(decode).document
      let bytes = try change(&document)
      store(document, bytes)
    }
  }

  /// Returns the value in memory. Loads it from the file if none is kept.
  func value(decoding decode: (Data) throws -> Document) throws -> HeldValue<Document> {
    if let kept { return kept }
    return try writing.withLock { try loaded(decode) }
  }

  /// Replaces the file, but not the value in memory.
  func writeFile(_ bytes: Data) throws { try bytes.withUnsafeBytes { try file.write($0) } }

  private func store(_ document: Document, _ bytes: Data) {
    keep(HeldValue(document, fileLength: bytes.count))
    let failure = save(bytes)
    state.withLock { state in
      state.failure = failure
      state.writes += 1
    }
  }

  private func keep(_ value: HeldValue<Document>?) {
    // Freeing the old value takes long, so it happens outside the lock that readers take.
    let old = state.withLock { state in
      let old = state.kept
      state.kept = value
      return old
    }
    withExtendedLifetime(old) {}
  }

  private func save(_ bytes: Data) -> StoreError? {
    do {
      try writeFile(bytes)
      return nil
    } catch {
      return error as? StoreError
        ?? StoreError(operation: "write", path: file.path, reason: systemReason(error))
    }
  }

  private func loaded(_ decode: (Data) throws -> Document) throws -> HeldValue<Document> {
    if let kept { return kept }
    let bytes = try file.read()
    let value = HeldValue(try decode(bytes), fileLength: bytes.count)
    keep(value)
    return value
  }
}

/// A payload: a value for memory, its bytes for the file behind it, or both.
package struct HeldDocument<Document: BenchDocument>: Sendable {
  /// The value, which all readers share. Nil if the payload was read from the file.
  package let document: Document?
  let fileLength: Int
  /// The bytes that go into the file or came from it. Nil if the payload was read from memory.
  let bytes: Data?
  /// The number of writes to the store before the bytes were read.
  var writes = 0
}

extension HeldDocument: Equatable {
  package static func == (a: Self, b: Self) -> Bool {
    a.fileLength == b.fileLength && a.document == b.document
  }
}

extension HeldDocument: Hashable where Document: Hashable {
  package func hash(into hasher: inout Hasher) {
    hasher.combine(document)
    hasher.combine(fileLength)
  }
}

/// A value in memory with its indexes, which are dropped when the value is replaced.
final class HeldValue<Document: BenchDocument>: Sendable {
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
