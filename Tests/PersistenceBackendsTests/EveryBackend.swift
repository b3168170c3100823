import MenuModel
import PersistenceBackends
import Testing

/// The backends for the laws: every backend with its own name, then every other pair of a codec and
/// a place.
enum EveryBackend {
  static let entries =
    BackendRegistry.all
    + BackendRegistry.codecs.flatMap { codec in
      BackendRegistry.places.map { BackendEntry(codec, in: $0) }
    }.filter { pair in !BackendRegistry.all.contains { $0.pair == pair.pair } }

  static let ids = entries.map(\.id)

  /// Backends with a setting, which are backends of their own.
  static let set = [("sqlite", "mmap_size", "1048576")]
    .compactMap { id, name, value in
      BackendRegistry.all.first { $0.id == id }?.settings.first { $0.name == name }?.backend(value)
    }

  /// Those that keep a menu in tables of their own, where a product is kept once and ids are keys.
  private static let tables = ["sqlite", "sqlite-grdb", "sqlite-records"] + set.map(\.id)

  /// Those that keep copies of products which differ from the menu's.
  static let copying = ids.filter { !tables.contains($0) }

  /// Those that keep two things of one id.
  static let careless = copying.filter { !$0.hasPrefix("object-graph") }

  static func entry(_ id: String) throws -> BackendEntry<Menu> {
    try #require((entries + set).first { $0.id == id })
  }
}
