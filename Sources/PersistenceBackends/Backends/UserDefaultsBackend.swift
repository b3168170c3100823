import MenuModel

extension BackendEntry {
  /// `userdefaults`: a binary property list as a value in the preferences store.
  public static var userDefaults: Self {
    Self(
      id: "userdefaults",
      summary: "a property list under one key of UserDefaults, known to be the wrong place",
      caveat: "userdefaults does the same at every durability: on Linux it rewrites its file in "
        + "place and flushes it, so that a crash may leave no menu; it keeps one of two leaves "
        + "that Foundation holds equal, as plist does",
      library: .foundation
    ) { store in
      CodecBackend(
        storing: Document.self, codec: PropertyListCodec(),
        place: try UserDefaultsPlace(store, name: "preferences"))
    }
  }
}
