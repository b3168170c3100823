import Foundation
import MenuModel
import PersistenceBackends

/// Files that break what they promise of crashes, each in one way that trials must find.
enum CrashFault: String, CaseIterable {
  /// Writes in place, as durability `none` does.
  case inPlace = "in-place"
  /// Writes aside under one name for all, does not flush, and renames.
  case sharedAside = "shared-aside"

  var entry: BackendEntry<Menu> {
    BackendEntry(
      id: rawValue, summary: "json, \(rawValue)", promises: .durable, codec: JSONCodec()
    ) { CrashFaultPlace(self, $0.path("menu.json")) }
  }
}

final class CrashFaultPlace: Place {
  private let fault: CrashFault
  private let path: String
  private let file: WholeFile

  init(_ fault: CrashFault, _ path: String) {
    self.fault = fault
    self.path = path
    file = WholeFile(path: path, durability: .none)
  }

  func write(_ bytes: Data) throws {
    guard fault == .sharedAside else { return try bytes.withUnsafeBytes { try file.write($0) } }
    let aside = path + ".aside"
    let other = WholeFile(path: aside, durability: .none)
    try bytes.withUnsafeBytes { try other.write($0) }
    guard rename(aside, path) == 0 else { throw StoreError.system("rename", path) }
  }

  func read() throws -> Data { try file.read() }
}
