import Foundation
import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import LMDBBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The userdefaults backend")
struct UserDefaultsBackendTests {
  private let folder: TemporaryFolder
  private let entry = BackendEntry<Menu>.userDefaults
  private var path: String { folder.path + "/preferences.plist" }

  init() throws { folder = try TemporaryFolder() }

  private func place(_ durability: Durability = .atomic) throws -> UserDefaultsPlace {
    try UserDefaultsPlace(folder.store(durability), name: "preferences")
  }

  private func put(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }

  @Test("keeps only its file in the store's folder", arguments: Durability.allCases)
  func file(durability: Durability) throws {
    let backend = try entry.open(folder.store(durability))
    try replace(Fixtures.full, in: backend)
    #expect(try folder.files() == ["preferences.plist"])
    try backend.close()
    #expect(try folder.files() == ["preferences.plist"])
  }

  @Test("reads the file again after its caches are dropped")
  func dropsCaches() throws {
    let place = try place()
    try place.write(Data("first".utf8))
    let first = try Data(contentsOf: URL(filePath: path))
    try place.write(Data("second".utf8))
    try first.write(to: URL(filePath: path))
    try place.dropCaches()
    #expect(try place.read() == Data("first".utf8))
    try place.close()
  }

  @Test("reads the file, not old values, if it is reopened in one process")
  func reopening() throws {
    let first = try place()
    try first.write(Data("first".utf8))
    let bytes = try Data(contentsOf: URL(filePath: path))
    try first.write(Data("second".utf8))
    try bytes.write(to: URL(filePath: path))
    #expect(try place().read() == Data("first".utf8))
  }

  @Test("keeps the preferences of others in the file")
  func others() throws {
    let others = try PropertyListSerialization.data(
      fromPropertyList: ["theme": "dark"], format: .xml, options: 0)
    try others.write(to: URL(filePath: path))
    let place = try place()
    #expect(throws: refusal(others.count)) { try place.read() }
    try place.write(Data("menu".utf8))
    let kept = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: URL(filePath: path)), format: nil)
    #expect(
      kept as? [String: AnyHashable] == ["theme": "dark", "document": Data("menu".utf8)])
  }

  @Test("refuses another program's value under its key")
  func otherValue() throws {
    let others = try PropertyListSerialization.data(
      fromPropertyList: ["document": "dark"], format: .xml, options: 0)
    try others.write(to: URL(filePath: path))
    #expect(throws: refusal(others.count)) { try place().read() }
  }

  @Test("refuses a file that is not a property list")
  func noPropertyList() throws {
    try put("{\"id\": 1}")
    #expect(throws: refusal(9)) { try place().read() }
  }

  @Test("refuses a file that is cut")
  func cut() throws {
    let writer = try place()
    try writer.write(Data(repeating: 1, count: 1_000))
    try writer.close()
    try folder.cut("preferences.plist", to: 700)
    #expect(throws: refusal(700)) { try place().read() }
  }

  @Test("says that it could not write, and writes when it can")
  func unwritable() throws {
    let place = try place()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(
      throws: StoreError(
        operation: "write", path: path,
        reason: "Foundation could not synchronize the preferences, and does not say why")
    ) { try place.write(Data("menu".utf8)) }
    try FileManager.default.removeItem(atPath: path)
    try place.write(Data("menu".utf8))
    try place.dropCaches()
    #expect(try place.read() == Data("menu".utf8))
    try place.close()
  }

  @Test("does not report another suite's failure as its own")
  func otherFailure() throws {
    let other = try UserDefaultsPlace(folder.store(), name: "other")
    try FileManager.default.createDirectory(
      atPath: folder.path + "/other.plist", withIntermediateDirectories: false)
    #expect(throws: StoreError.self) { try other.write(Data("other".utf8)) }
    let place = try place()
    try place.write(Data("menu".utf8))
    try FileManager.default.removeItem(atPath: folder.path + "/other.plist")
    try other.write(Data("other".utf8))
    try place.dropCaches()
    #expect(try place.read() == Data("menu".utf8))
  }

  private func refusal(_ count: Int) -> StoreError {
    StoreError(
      operation: "read", path: path,
      reason: "its \(count) bytes are not preferences with our value")
  }
}
