import MenuModel

extension BackendEntry where Document == Menu {
  /// `object-graph`: an object database's shape, used as well as it can be.
  public static var objectGraph: Self {
    Self(
      id: "object-graph",
      summary: "an object database's shape by GRDB: a row an object, link tables, prefetched",
      caveat:
        "object-graph models Core Data and Realm over SQLite, and is neither: embedded products "
        + "are objects of their own, links have an index each way, an old graph is deleted kind "
        + "by kind before the new one is inserted",
      library: .grdb,
      promises: [.atomic, .durable, .partialRead, .query, .concurrentReader]
    ) { try ObjectBackend($0, .prefetching) }
  }
}
