/// A table of the store, and what is done with all of its rows at once.
struct GraphTable: Sendable {
  let table: Table
  /// Adds a graph's rows by the table's prepared INSERT.
  let insert: @Sendable (ObjectGraph, ObjectSession) throws -> Void
  /// Fills a graph by the table's prepared SELECT.
  let select: @Sendable (inout ObjectGraph, ObjectSession) throws -> Void
  /// Removes every row.
  let delete: @Sendable (ObjectSession) throws -> Void
  /// Adds a graph's rows to another under other keys.
  let map: @Sendable (ObjectGraph, KeyMap, inout ObjectGraph) -> Void
  /// How many rows a graph has.
  let count: @Sendable (ObjectGraph) -> Int
  /// The bytes of a graph's rows.
  let bytes: @Sendable (ObjectGraph) -> Int
  /// Throws unless a graph's rows were all used.
  let finish: @Sendable (ObjectGraph) throws -> Void

  /// Ties a row to its table.
  init<Row: GraphRow>(_ type: Row.Type) {
    table = Row.table
    insert = { try $1.insert($0[keyPath: Row.place].rows) }
    select = { $0[keyPath: Row.place] = OrderedRows(try $1.all(type)) }
    delete = { try $0.deleteAll(type) }
    map = { graph, keys, mapped in
      mapped[keyPath: Row.place] = OrderedRows(
        graph[keyPath: Row.place].rows.map { $0.mapped(by: keys) })
    }
    count = { $0[keyPath: Row.place].rows.count }
    bytes = { graph in
      var counter = SizeCounter()
      for row in graph[keyPath: Row.place].rows { row.put(into: &counter) }
      return counter.bytes
    }
    finish = { try $0[keyPath: Row.place].finish() }
  }
}

/// A kind of object that is not named: what is done with every kind.
struct ObjectKind: Sendable {
  let table: GraphTable
  /// Looks up every object of the kind that a graph holds.
  let find: @Sendable (inout FindOrCreate) throws -> Void
  /// Saves every object of the kind that a graph holds.
  let save: @Sendable (inout FindOrCreate) throws -> Void
  /// Removes the objects that the graph doesn't hold.
  let prune: @Sendable (FindOrCreate) throws -> Void

  init<Object: StoredObject>(_ type: Object.Type) {
    table = GraphTable(Stored<Object>.self)
    find = { try $0.find(type) }
    save = { try $0.save(type) }
    prune = { try $0.prune(type) }
  }

  /// Every kind, owners before their parts.
  static let all: [ObjectKind] = [
    ObjectKind(MenuObject.self), ObjectKind(CategoryObject.self),
    ObjectKind(IngredientObject.self), ObjectKind(ModifierGroupObject.self),
    ObjectKind(ModifierOptionObject.self), ObjectKind(SizePriceObject.self),
    ObjectKind(ComboObject.self), ObjectKind(SlotObject.self),
    ObjectKind(OptionListObject.self), ObjectKind(SlotOptionObject.self),
    ObjectKind(ProductObject.self), ObjectKind(TagObject.self),
    ObjectKind(ProductIngredientObject.self), ObjectKind(VariantObject.self),
    ObjectKind(PriceTierObject.self), ObjectKind(NutritionObject.self),
    ObjectKind(NutritionFactsObject.self), ObjectKind(StopListEntryObject.self),
    ObjectKind(TranslationObject.self),
  ]
}
