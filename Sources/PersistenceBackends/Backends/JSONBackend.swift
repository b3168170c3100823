import MenuModel

extension BackendEntry {
  /// `json`: what `JSONEncoder` makes, in one file.
  public static var json: Self {
    Self(id: "json", summary: "JSON by Foundation's JSONEncoder, in one file") { store in
      CodecBackend(
        storing: Document.self, codec: JSONCodec(), place: FilePlace(store, name: "menu.json"))
    }
  }
}
