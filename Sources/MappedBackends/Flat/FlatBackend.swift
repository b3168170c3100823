import BackendKit
import Foundation
import MenuModel

extension BackendEntry where Document == Menu {
  /// `flat`: our own binary format, read in place.
  public static var flat: Self {
    Self(
      id: "flat",
      summary: "our own binary with a string table, read in place from a mapped file: what is "
        + "attainable",
      caveat: "flat keeps equal texts and equal lists once, in the file and in what it decodes, "
        + "whatever the menu repeats; only a whole read checks the file's checksum",
      library: Library.none,
      promises: .durable,
      belowFloor: [
        "read": "the file is checked where it is mapped; the floor copies it, which beyond the "
          + "processor's caches is the dearer"
      ]
    ) { FlatBackend($0) }
    .beyond(
      CodecAndPlace(codec: "flat", place: "file"),
      "maps its file, reads parts where they are and changes prices in a copy of the bytes"
    ).advised(FlatCodec.advice)
  }
}

extension CodecEntry where Document == Menu {
  /// `flat`: our own binary format, copied rather than mapped.
  public static var flat: Self {
    Self(
      id: "flat", summary: "our own binary with a string table",
      caveat: "flat keeps equal texts and equal lists once, in its bytes and in what it decodes, "
        + "whatever the menu repeats",
      library: Library.none, fileExtension: "flat", advice: FlatCodec.advice,
      documentCodec: FlatCodec())
  }
}

/// A menu as the bytes that a file of ``FlatBackend`` has, checked as a whole before they are decoded.
package struct FlatCodec: DocumentCodec {
  /// What the authors of FlatBuffers recommend to all that are read in place.
  static let advice = [
    Advice(
      "access without parsing or unpacking: offsets from fixed tables",
      source: "https://flatbuffers.dev/white_paper/",
      here: "followed in a format of our own, described in Sources/MappedBackends/Flat/FORMAT.md"),
    Advice(
      "bytes of unknown origin verified as a whole before anything is looked at",
      source: "https://flatbuffers.dev/languages/cpp/#access-of-untrusted-buffers",
      here: "followed where all is read; a part is checked record by record, without the checksum"),
    Advice(
      "a schema that grows by fields, so that programs of before and after read each other's files",
      source: "https://flatbuffers.dev/evolution/",
      here: "not followed: a file of another version is refused, and saved anew"),
  ]

  package init() {}

  /// The menu as bytes.
  ///
  /// - Throws: ``FlatLimit`` where the menu has more of something than the format can count.
  package func encode(_ document: Menu) throws -> Data { try FlatEncoder.encode(document) }

  /// The menu that the bytes hold.
  ///
  /// - Throws: ``FlatFault`` where they are damaged, newer or another program's.
  package func decode(_ bytes: Data) throws -> Menu {
    try bytes.withUnsafeBytes { bytes in
      let image = try FlatImage(bytes)
      try image.verify()
      return try FlatDecoder.menu(of: image)
    }
  }
}

/// A menu in one file of a format of our own, described to the byte in `Flat/FORMAT.md`.
///
/// A whole read maps the file, compares its checksum and hands out the mapping. Parts are built from
/// their records, or looked at there, and checked as they are touched, record by record: damage that
/// leaves every number within its bounds, such as a flipped bit of a price, shows in a whole read only.
package final class FlatBackend: Backend {
  let store: StoreContext
  let file: FlatFile
  private var image: (mapping: MappedFile, image: FlatImage)?

  /// Keeps the menu in `menu.flat` in the store's folder; nothing is opened.
  package init(_ store: StoreContext) {
    self.store = store
    file = FlatFile(store, name: "menu.flat")
  }

  /// The menu as the bytes of a file.
  ///
  /// - Throws: ``StoreError`` where the menu has more of something than the format can count.
  package func encode(_ document: Menu) throws -> Data {
    try located("encode", file.path) { try FlatEncoder.encode(document) }
  }

  /// Replaces the file, and lets go of the old one's mapping: its pages are freed here, in what causes
  /// it.
  package func write(_ payload: Data) throws {
    try payload.withUnsafeBytes { try file.write($0) }
    letGo()
  }

  /// The mapped file, checked as a whole.
  ///
  /// - Throws: ``StoreError`` where there is none, or it is damaged, half written, newer or another
  ///   program's.
  package func read() throws -> Data {
    let image = try current()
    try located("read", file.path) { try image.verify() }
    return image.data()
  }

  /// The menu that the bytes hold.
  ///
  /// - Throws: ``StoreError`` where the bytes contradict the format.
  package func decode(_ payload: Data) throws -> Menu {
    try payload.withUnsafeBytes { bytes in
      try located("decode", file.path) { try FlatDecoder.menu(of: FlatImage(bytes)) }
    }
  }

  /// The number of bytes.
  package func size(of payload: Data) -> Size { .bytes(payload.count) }

  /// Lets go of the mapping. It is no cache that ``dropCaches()`` would have to forget: the pages are
  /// the system's, and stay in its cache without it.
  package func close() throws { letGo() }

  private func letGo() {
    image = nil
    file.drop()
  }

  /// The file as it is now, mapped.
  func current() throws -> FlatImage {
    let mapping = try file.mapping()
    if let image, image.mapping === mapping { return image.image }
    let image = try located("open", file.path) {
      try FlatImage(mapping.bytes, owner: mapping)
    }
    self.image = (mapping, image)
    return image
  }

  private func reading<Result>(_ body: (FlatImage) throws -> Result) throws -> Result {
    let image = try current()
    return try located("read", file.path) { try body(image) }
  }

  private func decoding<Result>(
    _ body: (inout FlatDecoder<FlatImage>) throws -> Result
  ) throws -> Result {
    try reading { image in
      var decoder = try FlatDecoder(partsOf: image)
      return try body(&decoder)
    }
  }
}

extension FlatBackend: ProductReading, ComboReading, FirstScreenReading {
  /// The product, built from its record.
  package func product(_ id: Int) throws -> Product? { try decoding { try $0.product(id) } }

  /// The combo, built from its record and those of its slots, options and products.
  package func combo(_ id: Int) throws -> ResolvedCombo? {
    try decoding { try $0.resolvedCombo(id) }
  }

  /// The parts shown, built from their records; to find those of the shelf every product's is looked at.
  package func firstScreen() throws -> FirstScreen { try decoding { try $0.firstScreen() } }
}

extension FlatBackend: ProductFiltering {
  /// Looks at the record of every product, and decodes those of the category.
  package func products(passing filter: ProductFilter) throws -> [Int] {
    try decoding { try $0.products(passing: filter) }
  }
}

extension FlatBackend: PartViewing {
  /// From the file to the checksum.
  package func viewProduct(_ id: Int, into checksum: inout Checksum) throws -> Bool {
    try reading { image in
      let reader = FlatReader(image)
      guard let record = try reader.find(id, in: image.productIndex) else { return false }
      try reader.add(reader.product(record, id: id), to: &checksum)
      return true
    }
  }

  /// From the file to the checksum; slots, options and products are looked up on the way.
  package func viewCombo(_ id: Int, into checksum: inout Checksum) throws -> Bool {
    try reading { image in
      let reader = FlatReader(image)
      guard let record = try reader.find(id, in: image.comboIndex) else { return false }
      try reader.add(reader.combo(record, id: id), to: &checksum)
      return true
    }
  }
}

extension FlatBackend: NameSearching {
  /// Compares the names in place, one after the other: there is no index of names.
  package func products(named query: String) throws -> [Int] {
    try reading { try FlatReader($0).products(named: query) }
  }
}

extension FlatBackend: MenuPatching {
  /// Overwrites the fields in a copy of the file's bytes and writes that: no menu is built. Where the stop
  /// list changes everything behind it moves: the menu is then built and written.
  package func apply(_ patch: MenuPatch) throws {
    guard patch.stops.isEmpty else {
      var menu = try decode(read())
      try menu.apply(patch)
      return try write(encode(menu))
    }
    let image = try current()
    let copy = UnsafeMutableRawBufferPointer.allocate(
      byteCount: image.bytes.count, alignment: 16)
    defer { copy.deallocate() }
    copy.copyMemory(from: image.bytes)
    try located("patch", file.path) { try FlatPatch(patch).apply(to: copy) }
    try file.write(UnsafeRawBufferPointer(copy))
    letGo()
  }
}

extension FlatBackend: ConcurrentReading {
  /// At `none` the file is written under its own name, and who comes meanwhile is refused.
  package var readsBesideWriter: Bool { store.durability != .none }

  /// Another handle with a mapping of its own.
  package func openReader() throws -> any Backend<Menu> { FlatBackend(store) }
}

/// The store's one file: replaced as a whole, read through a mapping.
///
/// A writer never changes a file that somebody may have mapped, at no durability: `atomic` and
/// `durable` rename another over it, and at `none`, where ``WholeFile`` would cut the file short
/// under its readers, its name is taken away first. What stays mapped stays whole. A foreign program
/// that cuts the file short in place still costs a process that reads it a SIGBUS, and so does a page
/// that the drive fails to read, which a read call would return as EIO.
final class FlatFile {
  let path: String
  private let durability: Durability
  private let file: WholeFile
  private var current: MappedFile?

  init(_ store: StoreContext, name: String) {
    path = store.path(name)
    durability = store.durability
    file = WholeFile(path: path, durability: durability)
  }

  /// Replaces the file.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    if durability == .none, unlink(path) != 0, errno != ENOENT {
      throw StoreError.system("unlink", path)
    }
    try file.write(bytes)
  }

  /// The file's bytes as they are now: the mapping that there is, unless the file was replaced. A
  /// mapped file keeps its number from being given to another, so the number tells.
  func mapping() throws -> MappedFile {
    if let current, current.identity == (try? FileIdentity(of: path)) { return current }
    let mapping = try MappedFile(path)
    current = mapping
    return mapping
  }

  /// Lets go of the mapping; whoever still reads in it keeps it.
  func drop() { current = nil }
}

/// Changes prices and availability in a copy of a file's bytes: fixed-width fields are overwritten,
/// and no menu is built.
struct FlatPatch {
  private let patch: MenuPatch
  private let changes: PatchChanges

  init(_ patch: MenuPatch) {
    self.patch = patch
    changes = PatchChanges(patch)
  }

  /// Changes a file's bytes, which must be whole: an old checksum that differs is not replaced by a
  /// new one that hides the damage.
  ///
  /// - Throws: ``FlatFault`` where the bytes are damaged, `UnknownPatchTarget` where the patch names
  ///   what is not there; either before anything is changed.
  func apply(to file: UnsafeMutableRawBufferPointer) throws {
    let image = try FlatImage(UnsafeRawBufferPointer(file))
    try image.verify()
    try check(image)
    try patchMenu(of: image, in: file)
    if !changes.availability.isEmpty { patchProducts(of: image, in: file) }
    if !changes.prices.isEmpty { patchVariants(of: image, in: file) }
    FlatFormat.seal(file)
  }

  private func check(_ image: FlatImage) throws {
    let reader = FlatReader(image)
    for change in patch.availability
    where try reader.find(change.productID, in: image.productIndex) == nil {
      throw UnknownPatchTarget(entity: .product, id: change.productID)
    }
    guard !changes.prices.isEmpty else { return }
    let variants = try image.variants.run(FlatRange(count: try image.menu().variants))
    var known: Set<Int> = []
    for index in 0..<variants.count where changes.prices[variants[index].id] != nil {
      known.insert(variants[index].id)
    }
    for change in patch.prices where !known.contains(change.variantID) {
      throw UnknownPatchTarget(entity: .variant, id: change.variantID)
    }
  }

  private func patchMenu(of image: FlatImage, in file: UnsafeMutableRawBufferPointer) throws {
    var menu = try image.menu()
    menu.revision = patch.revision
    Self.store(menu, at: image.menus.offset, in: file)
  }

  /// The menu's own products and the copies of them.
  private func patchProducts(of image: FlatImage, in file: UnsafeMutableRawBufferPointer) {
    let products = image.products.all
    for index in 0..<products.count {
      var product = products[index]
      guard let change = changes.availability[product.id] else { continue }
      product.availability = change.code
      Self.store(product, at: products.offset(of: index), in: file)
    }
  }

  private func patchVariants(of image: FlatImage, in file: UnsafeMutableRawBufferPointer) {
    let variants = image.variants.all
    for index in 0..<variants.count {
      var variant = variants[index]
      guard let price = changes.prices[variant.id] else { continue }
      variant.price = price
      Self.store(variant, at: variants.offset(of: index), in: file)
    }
  }

  /// Overwrites a record that was read from its place.
  private static func store(
    _ record: some FlatRecord, at offset: Int, in file: UnsafeMutableRawBufferPointer
  ) {
    guard let start = file.baseAddress else { return }
    record.store(at: start + offset)
  }
}
