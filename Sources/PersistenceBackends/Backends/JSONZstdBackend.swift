import MenuModel

extension BackendEntry {
  /// `json-zstd`: what `JSONEncoder` makes, compressed, in one file.
  public static var jsonZstd: Self {
    Self(
      id: "json-zstd", summary: "JSON by Foundation, compressed by zstd at level 3, in one file",
      library: .zstd, promises: [.atomic, .durable, .concurrentReader]
    ) { store in
      CodecBackend(
        storing: Document.self, codec: try ZstdCodec(wrapping: JSONCodec(), level: 3),
        place: FilePlace(store, name: "menu.json.zst"))
    }
  }
}
