import ArgumentParser
import Foundation
import MenuModel
import PersistenceBackends

/// Replaces a stored menu by its next revision and back until the process is killed: what a test of
/// the promise `atomic` does to every backend that makes it.
struct WriteUntilKilled: ParsableCommand {
  static let configuration = CommandConfiguration(shouldDisplay: false)

  @Argument var backend: String
  @Argument var folder: String
  @Argument(help: "The file that is made once the first menu is there.")
  var sign: String

  /// The menus that are there in turn.
  static var menus: [Menu] {
    let menu = Menu(shape: MenuShape(.small))
    return [menu, menu.revised(1)]
  }

  func run() throws {
    guard let entry = BackendRegistry.all.first(where: { $0.id == backend }) else {
      throw ValidationError("there is no backend \(backend)")
    }
    let store = try entry.open(StoreContext(folder: folder, durability: .atomic))
    try write(to: store)
  }

  private func write(to store: some Backend<Menu>) throws {
    let payloads = try Self.menus.map { try store.encode($0) }
    try store.write(payloads[0])
    try Data().write(to: URL(filePath: sign))
    while true { for payload in payloads.reversed() { try store.write(payload) } }
  }
}
