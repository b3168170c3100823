/// What a storage promises beyond keeping a document; the laws of every backend try each.
public enum StoragePromise: String, CaseIterable, Sendable, Comparable {
  /// A crash of the process leaves the old or the new document, at durability `atomic`.
  case atomic
  /// A power cut leaves the old or the new document, at durability `durable`.
  case durable
  /// A product or a resolved combo is read without the rest.
  case partialRead = "partial-read"
  /// Products are found by name without reading the rest into the program.
  case query
  /// A reader of its own goes on reading the last whole document while a writer replaces it, at
  /// durability `atomic` and `durable`.
  case concurrentReader = "concurrent-reader"
  /// A store written by an older schema is changed in place when it is opened.
  case schemaChange = "schema-change"

  /// What is promised, in a few words.
  public var meaning: String {
    switch self {
    case .atomic: "a crash leaves the old or the new menu (durability atomic)"
    case .durable: "a power cut leaves the old or the new menu (durability durable)"
    case .partialRead: "one product or combo is read without the rest"
    case .query: "products are found by name without reading the rest"
    case .concurrentReader:
      "readers go on while a writer replaces the menu (not at durability none)"
    case .schemaChange: "an older store is changed in place when opened"
    }
  }

  /// In the order of declaration.
  public static func < (a: Self, b: Self) -> Bool { a.place < b.place }

  private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
