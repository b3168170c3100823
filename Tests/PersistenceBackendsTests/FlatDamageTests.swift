import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A damaged flat file")
struct FlatDamageTests {
  private let folder: TemporaryFolder
  private let path: String
  private let whole: Data

  /// Encoded once for the hundreds of cases, each of which has a suite of its own.
  private static let encoded = Result {
    try FlatBackend(TemporaryFolder().store()).encode(Fixtures.contradictory)
  }

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path + "/menu.flat"
    whole = try Self.encoded.get()
  }

  /// At durability none, which writes the damage without a flush and a rename.
  private func open(_ bytes: Data) throws -> FlatBackend {
    let backend = FlatBackend(folder.store(.none))
    try backend.write(bytes)
    return backend
  }

  private func failure(_ operation: String, _ reason: String) -> StoreError {
    StoreError(operation: operation, path: path, reason: reason)
  }

  @Test("is refused for what it is")
  func header() throws {
    func changed(_ offset: Int, _ byte: UInt8) -> Data {
      var bytes = whole
      bytes[offset] = byte
      return bytes
    }
    let json = try JSONCodec().encode(Fixtures.full)
    let cases: [(Data, String)] = [
      (Data(), "the file is empty (byte 0)"),
      (json, "this is no flat menu (byte 0)"),
      (Data("SQLite format 3".utf8), "this is no flat menu (byte 0)"),
      (Data("MENU".utf8), "the file has 4 bytes, its header alone 136 (byte 4)"),
      (whole.prefix(135), "the file has 135 bytes, its header alone 136 (byte 135)"),
      (changed(8, 1), "the file is of version 1, this program reads version 2 (byte 8)"),
      (changed(12, 24), "the file has 24 sections instead of 26 (byte 12)"),
      (
        whole.dropLast(8),
        "the file has \(whole.count - 8) bytes, its header says \(whole.count) (byte 16)"
      ),
      (
        whole + Data(count: 8),
        "the file has \(whole.count + 8) bytes, its header says \(whole.count) (byte 16)"
      ),
    ]
    for (bytes, reason) in cases {
      let backend = try open(bytes)
      #expect(throws: failure("open", reason)) { try backend.read() }
      #expect(throws: failure("open", reason)) { try backend.combo(12) }
      #expect(throws: failure("open", reason)) { try backend.product(300) }
      #expect(throws: failure("open", reason)) { try backend.products(named: "a") }
      #expect(throws: failure("open", reason)) { try backend.apply(MenuPatch(revision: 1)) }
      #expect(throws: failure("decode", reason)) { try backend.decode(bytes) }
    }
  }

  @Test("is refused at every length but its own")
  func truncation() throws {
    for length in 0..<whole.count {
      let cut = whole.prefix(length)
      #expect(throws: StoreError.self, "\(length)") { try FlatBackend.decodeAnywhere(cut, path) }
    }
    let backend = try open(whole)
    _ = try backend.combo(12)
    for length in stride(from: whole.count - 1, to: 0, by: -97) {
      try folder.cut("menu.flat", to: UInt64(length))
      #expect(throws: StoreError.self) { try backend.combo(12) }
      #expect(throws: StoreError.self) { try backend.read() }
    }
  }

  @Test(
    "is found by a whole read wherever a bit was turned, and never traps", arguments: [1, 2, 3])
  func flips(seed: Int) throws {
    var draw = Draw(UInt64(seed))
    for offset in whole.indices {
      var bytes = whole
      bytes[offset] ^= 1 << UInt8(draw.below(8))
      try check(bytes, "seed \(seed), byte \(offset)")
    }
  }

  @Test("is found by a whole read whatever bytes were lost, and never traps", arguments: 1...500)
  func scribbles(seed: Int) throws {
    var draw = Draw(UInt64(seed))
    var bytes = whole
    for _ in 0...draw.below(12) {
      let start = 32 + draw.below(whole.count - 36)
      let word = [0, 0xFF, 0x7F, 0x80, 1][draw.below(5)]
      for offset in start..<start + 4 { bytes[offset] = UInt8(word) }
    }
    if bytes != whole { try check(bytes, "seed \(seed)") }
  }

  private func check(_ bytes: Data, _ name: String) throws {
    let backend = try open(bytes)
    #expect(throws: StoreError.self, "\(name)") { try backend.read() }
    #expect(throws: StoreError.self, "\(name)") { try backend.apply(MenuPatch(revision: 1)) }
    attempt(name) { _ = try backend.decode(bytes).fingerprint }
    attempt(name) { _ = try backend.products(named: "а") }
    attempt(name) { _ = try backend.firstScreen() }
    var checksum = Checksum()
    for id in [300, 100, 200] {
      attempt(name) { _ = try backend.product(id) }
      attempt(name) { _ = try backend.viewProduct(id, into: &checksum) }
    }
    for id in [12, 15, 11] {
      attempt(name) { _ = try backend.combo(id) }
      attempt(name) { _ = try backend.viewCombo(id, into: &checksum) }
    }
  }

  /// Does something that may fail, by ``StoreError`` only.
  private func attempt(_ name: String, _ body: () throws -> Void) {
    do {
      try body()
    } catch is StoreError {
    } catch {
      Issue.record("\(name): \(error)")
    }
  }

  @Test("is told with the record and the byte")
  func wording() throws {
    var bytes = whole
    let image = try bytes.withUnsafeBytes { bytes in
      let image = try FlatImage(bytes)
      return (
        products: image.products.offset, count: image.products.count,
        texts: image.textStarts.count - 1, starts: image.textStarts.offset
      )
    }
    bytes[image.products + 16] = 0xEE
    bytes[image.products + 17] = 0xEE
    let noText = "there is no text 61166 of the \(image.texts) (byte \(image.starts))"
    #expect(throws: failure("decode", noText)) { try open(bytes).decode(bytes) }
    bytes = whole
    bytes[image.products + 28] = 9
    let noKind = "product 300 is of kind 9 and availability 0 (byte \(image.products))"
    #expect(throws: failure("decode", noKind)) { try open(bytes).decode(bytes) }
    let backend = try open(bytes)
    var checksum = Checksum()
    #expect(throws: failure("read", noKind)) { try backend.product(300) }
    #expect(throws: failure("read", noKind)) { try backend.viewProduct(300, into: &checksum) }
  }

  @Test("is refused where lists overlap, which would cost the square of its length")
  func overlaps() throws {
    let counts = try whole.withUnsafeBytes { bytes in
      let image = try FlatImage(bytes)
      return (
        variants: image.variants.count, variantsOffset: image.variants.offset,
        products: image.products.offset, slots: image.slots.count,
        slotsOffset: image.slots.offset, combos: image.combos.offset
      )
    }
    // The list of the second product, then of the second combo.
    let cases: [(name: String, count: Int, offset: Int, list: Int)] = [
      ("variants", counts.variants, counts.variantsOffset, counts.products + FlatProduct.size + 40),
      ("slots", counts.slots, counts.slotsOffset, counts.combos + FlatCombo.size + 40),
    ]
    for (name, count, offset, list) in cases {
      // All there are, those of the first among them.
      let all: [UInt8] = [0, 0, 0, 0, UInt8(count), 0, 0, 0]
      var bytes = whole
      bytes.replaceSubrange(list..<list + 8, with: all)
      #expect(
        throws: failure("decode", "lists of the \(count) \(name) overlap (byte \(offset))")
      ) { try open(bytes).decode(bytes) }
    }
  }

  @Test("is not made to look whole by a patch")
  func patchKeepsDamage() throws {
    var bytes = whole
    bytes[bytes.count - 9] ^= 1
    let backend = try open(bytes)
    let damaged = "the file is damaged: its checksum differs (byte 24)"
    #expect(throws: failure("patch", damaged)) { try backend.apply(MenuPatch(revision: 1)) }
    #expect(throws: failure("read", damaged)) { try backend.read() }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
  }

  @Test("does not last: the next write replaces it", arguments: Durability.allCases)
  func replaced(durability: Durability) throws {
    let backend = FlatBackend(folder.store(durability))
    try backend.write(whole.dropLast(50))
    #expect(throws: StoreError.self) { try backend.read() }
    try replace(Fixtures.full, in: backend)
    #expect(try restored(from: backend) == Fixtures.full)
  }
}

extension FlatBackend {
  /// Decodes bytes that begin anywhere in another's memory.
  fileprivate static func decodeAnywhere(_ bytes: Data, _ path: String) throws -> Menu {
    try FlatBackend(StoreContext(folder: path, durability: .none)).decode(bytes)
  }
}
