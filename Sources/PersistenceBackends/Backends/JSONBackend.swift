import MenuModel

extension BackendEntry {
  /// `json`: what `JSONEncoder` makes, in one file.
  public static var json: Self {
    Self(
      id: "json", summary: "JSON by Foundation's JSONEncoder, in one file",
      library: .foundation, promises: [.atomic, .durable, .concurrentReader], codec: JSONCodec()
    ) { FilePlace($0, name: "menu.json") }
  }
}
