/// A backend that brings a store of an older schema up to date in place.
public protocol SchemaChanging<Document>: Backend {
  /// Opens a store as a program does that knows the schemas up to the one given: a new store gets that
  /// one, an older store is brought up to it.
  ///
  /// - Throws: ``StorageError`` where there is no such schema, and where the store is newer: its reason
  ///   names both schemas. The store is then as it was.
  init(_ store: StoreContext, knowing newest: Int) throws
  /// The schema that the store has.
  var schema: Int { get throws }
  /// Renames fields and adds what a schema lacks until the store has the schema given; what is read
  /// afterwards is the same document.
  ///
  /// - Throws: ``StorageError`` where there is no such schema or no way to it; the store is then as
  ///   it was.
  func changeSchema(to schema: Int) throws
}
