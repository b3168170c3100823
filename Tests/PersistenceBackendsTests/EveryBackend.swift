import MenuModel
import PersistenceBackends
import Testing

/// What laws run over: every backend with a name of its own, then every other pair of a codec and a
/// place.
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

  static func entry(_ id: String) throws -> BackendEntry<Menu> {
    try #require((entries + set).first { $0.id == id })
  }
}
