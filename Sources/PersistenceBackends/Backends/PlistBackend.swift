import MenuModel

extension BackendEntry {
  /// `plist`: what `PropertyListEncoder` makes in its binary format, in one file.
  public static var plist: Self {
    Self(
      id: "plist", summary: "binary property list by Foundation's PropertyListEncoder, in one file",
      caveat: "plist keeps one of two leaves that Foundation holds equal: the NFC and NFD forms of "
        + "one text, 0 and -0",
      library: .foundation, promises: [.atomic, .durable, .concurrentReader],
      codec: PropertyListCodec()
    ) { FilePlace($0, name: "menu.plist") }
  }
}
