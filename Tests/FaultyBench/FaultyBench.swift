import ArgumentParser
import BenchCLI
import BenchEngine
import Foundation
import MenuModel
import MenuWorkloads
import PersistenceBackends
import RevisionBuild

/// The whole CLI over backends that misbehave, each in one way: what a team's own backend may do on
/// its first day. Also an example of an executable that adds backends to the built-in ones.
@main
enum FaultyBench: BenchApp {
  static let suite = Suite(
    backends: [.json, .xmlPlist, .lmdbCut] + Fault.allCases.map(\.entry)
      + ColdFault.allCases.map(\.entry),
    workloads: WorkloadRegistry.all, source: MenuSource())
  static var documentCommands: [any ParsableCommand.Type] { [TryStores.self] }
}

enum Fault: String, CaseIterable {
  case crashes, hangs, hogs, lies, exits, chats, forgets, throwsErrors = "throws"

  var entry: BackendEntry<Menu> {
    BackendEntry(
      id: rawValue, summary: "a backend that \(rawValue)", survivesRestart: self == .forgets
    ) { store in
      FaultyBackend(fault: self, path: store.path("menu.json"))
    }
  }
}

final class FaultyBackend: Backend {
  private let fault: Fault
  private let path: String
  private var kept = Data()

  init(fault: Fault, path: String) {
    self.fault = fault
    self.path = path
  }

  func encode(_ menu: Menu) throws -> Data {
    if fault == .hogs { allocateForever() }
    return try JSONEncoder().encode(menu)
  }

  func write(_ payload: Data) throws {
    switch fault {
    case .hangs:
      // For tests that check that nothing is left of this process.
      try Data("\(getpid())".utf8).write(
        to: URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "hanging"))
      while true { sleep(1_000) }
    case .exits: exit(7)
    case .throwsErrors:
      throw StoreError(operation: "write", path: "/the/path", reason: "No space left on device")
    case .chats:
      // More than a pipe holds, at every write.
      FileHandle.standardOutput.write(Data(String(repeating: "chatter\n", count: 10_000).utf8))
      FileHandle.standardError.write(Data(String(repeating: "mutter\n", count: 10_000).utf8))
    default: break
    }
    kept = payload
  }

  func read() throws -> Data { kept }

  func decode(_ payload: Data) throws -> Menu {
    if fault == .crashes { abort() }
    var menu = try JSONDecoder().decode(Menu.self, from: payload)
    if fault == .lies { menu.products[min(3, menu.products.count - 1)].name += "!" }
    return menu
  }

  func size(of payload: Data) -> Size { .bytes(payload.count) }

  private func allocateForever() {
    var blocks: [[UInt8]] = []
    while true { blocks.append([UInt8](repeating: 1, count: 10_000_000)) }
  }
}
