import MenuModel

extension BackendEntry {
  /// `json`: what `JSONEncoder` makes, in one file.
  public static var json: Self {
    Self(
      id: "json", summary: "JSON by Foundation's JSONEncoder, in one file",
      library: .foundation, promises: .durable, codec: JSONCodec()
    ) { FilePlace($0, name: "menu.json") }
  }

  /// `plist`: what `PropertyListEncoder` makes in its binary format, in one file.
  public static var plist: Self {
    Self(
      id: "plist", summary: "binary property list by Foundation's PropertyListEncoder, in one file",
      caveat: "plist keeps one of two leaves that Foundation holds equal: the NFC and NFD forms of "
        + "one text, 0 and -0",
      library: .foundation, promises: .durable,
      codec: PropertyListCodec()
    ) { FilePlace($0, name: "menu.plist") }
  }

  /// `json-zstd`: what `JSONEncoder` makes, compressed, in one file.
  public static var jsonZstd: Self {
    Self(
      id: "json-zstd", summary: "JSON by Foundation, compressed by zstd at level 3, in one file",
      library: .zstd, promises: .durable, codec: try ZstdCodec(wrapping: JSONCodec(), level: 3)
    ) { FilePlace($0, name: "menu.json.zst") }
  }

  /// `userdefaults`: a binary property list as a value in the preferences store.
  public static var userDefaults: Self {
    Self(
      id: "userdefaults",
      summary: "a property list under one key of UserDefaults, known to be the wrong place",
      caveat: "userdefaults does what plist does and more: on Linux Foundation keeps its bytes as "
        + "Base64 in XML, which each reading parses; at every durability it rewrites its file in "
        + "place and flushes it, so that a crash may leave no menu; it keeps one of two leaves "
        + "that Foundation holds equal, as plist does",
      flushedFrom: .none, library: .foundation, codec: PropertyListCodec()
    ) { try UserDefaultsPlace($0, name: "preferences") }
  }
}
