import Basics
import BenchEngine
import Foundation
import MenuModel
import MenuSources
import MenuWorkloads

/// The menu to store.
public enum MenuChoice: Sendable {
  /// A real store's menu: 81 products, 8 combos, 560 slot options.
  case small
  /// 300 products, 40 combos, 3,000 slot options.
  case medium
  /// 1,000 products, 150 combos, 12,000 slot options.
  case large
  /// A stress test: 5,000 products, 500 combos, 80,000 slot options.
  case huge
  /// A shape for `bench`, such as `bench shape` prints for your menu:
  /// `products=200,combos=30,slots=4,options=20`.
  case shape(String)
  /// A file in the format of `Datasets/menu.schema.json`, for example from `bench import`.
  case file(URL)
  /// Your own menu, with its name in reports.
  case menu(Menu, named: String)
}

extension MenuChoice {
  /// Generates, reads or checks the menu; throws ``MenuBenchRefusal``.
  func load() throws -> LoadedDocument<Menu> {
    if case .menu(_, named: "") = self { throw MenuBenchRefusal("the menu has no name") }
    do {
      switch self {
      case .small, .medium, .large, .huge: return try MenuSource().load("\(self)")
      case .shape(let text): return try MenuSource().generate(text)
      case .file(let file): return try MenuSource().read(file.path)
      case .menu(let menu, let name):
        try menu.validate()
        return LoadedDocument(name: name, origin: "the app's own", document: menu)
      }
    } catch let error as InvalidMenu {
      throw MenuBenchRefusal("the menu contradicts itself: \(error)")
    } catch {
      throw MenuBenchRefusal("\(error)")
    }
  }
}

/// A source with a single menu that is already loaded.
struct HeldMenu: DocumentSource {
  let menu: LoadedDocument<Menu>

  var presets: [(name: String, summary: String)] { [(menu.name, menu.origin)] }

  func load(_ name: String) -> LoadedDocument<Menu> { menu }
}
