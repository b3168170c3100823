import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("A kept response")
struct RawResponseBackendTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func open() throws -> RawResponseBackend<CodableCodec<Menu, JSONCodec>> {
    try RawResponseBackend(
      CodableCodec<Menu, JSONCodec>(JSONCodec()),
      in: FilePlace(folder.store(), name: "response.json"))
  }

  private func address(of bytes: Data) -> UnsafeRawPointer? { bytes.withUnsafeBytes(\.baseAddress) }

  @Test("stores the bytes that came with the menu, which are made once for two alternating menus")
  func sameBytes() throws {
    let backend = try open()
    let menus = [Fixtures.full, Fixtures.full.revised(1)]
    var addresses: [UnsafeRawPointer?] = []
    var responses: [Data] = []
    for menu in menus + menus {
      try backend.prepare(menu)
      let response = try backend.encode(menu)
      responses.append(response)
      addresses.append(address(of: response))
      #expect(try backend.decode(response).fingerprint == menu.fingerprint)
    }
    #expect(addresses[2...] == addresses[..<2])
    #expect(addresses[0] != addresses[1])
  }

  @Test(
    "is in the file byte for byte, and any codec decodes it",
    arguments: [("raw-simdjson", "response.json"), ("protobuf@response", "response.pb")])
  func anyCodec(id: String, file: String) throws {
    let backend = try EveryBackend.entry(id).open(folder.store())
    try backend.save(Fixtures.full)
    let parsing = try #require(backend as? any ResponseParsing<Menu>)
    #expect(parsing.keepsResponse)
    #expect(try folder.files() == [file])
    let stored = try Data(contentsOf: URL(filePath: folder.path + "/" + file))
    #expect(try stored == parsing.response(of: Fixtures.full))
    #expect(try restored(from: backend) == Fixtures.full)
  }

  @Test("encodes a menu that did not come from the network")
  func unprepared() throws {
    let backend = try open()
    try backend.prepare(Fixtures.full)
    #expect(try backend.decode(backend.encode(Fixtures.oddTexts)) == Fixtures.oddTexts)
    // A prepared response is for the next menu only.
    let first = try backend.encode(Fixtures.full)
    let second = try backend.encode(Fixtures.full)
    #expect(address(of: first) != address(of: second))
    #expect(try backend.decode(first) == Fixtures.full)
  }

  @Test("distinguishes the NFC and NFD forms of one name in prepared responses")
  func forms() throws {
    let backend = try open()
    var menu = Fixtures.bare
    for city in ["é", "e\u{301}", "é"] {
      menu.city = city
      try backend.prepare(menu)
      let found = try backend.decode(backend.encode(menu))
      #expect(Array(found.city.unicodeScalars) == Array(city.unicodeScalars))
    }
  }

  @Test("returns the response for an equal new menu, and not for another form of its name")
  func sameToTheByte() throws {
    let backend = try open()
    try backend.prepare(Fixtures.full)
    let first = try backend.encode(Fixtures.full)
    try backend.prepare(Fixtures.full)
    let second = try backend.encode(try backend.decode(first))
    #expect(address(of: second) == address(of: first))
    var menu = Fixtures.bare
    for (came, kept) in [("é", "e\u{301}"), ("e\u{301}", "é")] {
      menu.city = came
      try backend.prepare(menu)
      menu.city = kept
      let found = try backend.decode(backend.encode(menu))
      #expect(Array(found.city.unicodeScalars) == Array(kept.unicodeScalars))
    }
  }

  @Test("stores a patched menu whole, not the response that it came from")
  func patch() throws {
    let backend = try open()
    try backend.prepare(Fixtures.full)
    try replace(Fixtures.full, in: backend)
    let patch = MenuPatch(revision: 43, prices: [.init(variantID: 33, price: 1)])
    let access = MenuAccess(backend)
    #expect(access.patchRoute == .wholeMenu)
    try backend.prepare(Fixtures.full)
    var expected = Fixtures.full
    try expected.apply(patch)
    try access.store(patch, making: expected)
    #expect(try restored(from: backend).fingerprint == expected.fingerprint)
  }

  @Test("refuses a response that is cut or has other content")
  func damaged() throws {
    let backend = try open()
    try replace(Fixtures.full, in: backend)
    try folder.cut("response.json", to: 100)
    #expect(throws: DecodingError.self) { try restored(from: backend) }
    try Data("[1,2]".utf8).write(to: URL(fileURLWithPath: folder.path + "/response.json"))
    #expect(throws: DecodingError.self) { try restored(from: backend) }
  }
}
