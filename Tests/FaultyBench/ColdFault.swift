import Foundation
import MenuModel
import PersistenceBackends

/// Ways in which a backend that works in the worker may fail in a fresh process.
enum ColdFault: String, CaseIterable {
  case coldCrash = "cold-crash"
  case coldHang = "cold-hang"
  case coldLie = "cold-lie"
  case coldChat = "cold-chat"

  var entry: BackendEntry<Menu> {
    BackendEntry(id: rawValue, summary: "json, with a \(rawValue) in fresh processes") { store in
      if CommandLine.arguments.contains("cold") { try misbehave(store) }
      return CodecBackend(
        codec: CodableCodec<Menu, JSONCodec>(JSONCodec()),
        place: FilePlace(store, name: "menu.json"))
    }
  }

  private func misbehave(_ store: StoreContext) throws {
    switch self {
    case .coldCrash:
      FileHandle.standardError.write(Data("no memory for the menu\n".utf8))
      abort()
    case .coldHang:
      // For tests that check that nothing is left of this process.
      try Data("\(getpid())".utf8).write(to: URL(fileURLWithPath: store.path("hanging")))
      while true { sleep(1_000) }
    case .coldLie: try lie(store)
    case .coldChat: print(String(repeating: "chatter\n", count: 10_000))
    }
  }

  /// Another product's price, in a file that is whole.
  private func lie(_ store: StoreContext) throws {
    let url = URL(fileURLWithPath: store.path("menu.json"))
    var menu = try JSONDecoder().decode(Menu.self, from: Data(contentsOf: url))
    for index in menu.products.indices { menu.products[index].variants[0].price += 1 }
    try JSONEncoder().encode(menu).write(to: url)
  }
}
