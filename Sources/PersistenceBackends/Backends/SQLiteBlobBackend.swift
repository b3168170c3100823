import MenuModel

extension BackendEntry {
  /// `sqlite-blob`: what `JSONEncoder` makes, in one row of an SQLite table.
  public static var sqliteBlob: Self {
    Self(
      id: "sqlite-blob",
      summary: "JSON by Foundation's JSONEncoder, in one row of an SQLite table by GRDB",
      caveat: "sqlite-blob copies its log into the database in the commit that takes it past 1,000 "
        + "pages: documents above 4 MB pay for it with every write",
      library: .grdb, promises: [.atomic, .durable, .concurrentReader]
    ) { store in
      CodecBackend(
        storing: Document.self, codec: JSONCodec(),
        place: try SQLiteRowPlace(store, name: "menu-blob.sqlite"))
    }
  }
}
