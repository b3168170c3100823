import Foundation
import MenuModel
import PersistenceBackends
import Subprocess
import Testing

@Suite("A backend that promises atomic")
struct CrashTests {
  private static let ids = BackendRegistry.all.filter { $0.promises.contains(.atomic) }.map(\.id)

  @Test("has the old or the new menu after its process was killed while it wrote", arguments: ids)
  func kill(id: String) async throws {
    let entry = try #require(BackendRegistry.all.first { $0.id == id })
    let menu = Menu(shape: MenuShape(.small))
    let known = [menu.fingerprint, menu.revised(1).fingerprint]
    try await inFolder { folder in
      let store = folder + "/store"
      try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
      // The test polls; where in a write the signal comes is left to chance.
      for _ in 0..<3 {
        let files = FileManager.default
        try? files.removeItem(atPath: folder + "/written")
        _ = try await Executable.faulty.run(
          ["write-until-killed", id, store, folder + "/written"], in: folder, by: .kill
        ) { FileManager.default.fileExists(atPath: folder + "/written") }
        let backend = try entry.open(StoreContext(folder: store, durability: .atomic))
        #expect(known.contains(try fingerprint(of: backend)))
        try backend.close()
      }
    }
  }

  private func fingerprint(of backend: some Backend<Menu>) throws -> Checksum {
    try backend.decode(backend.read()).fingerprint
  }
}
