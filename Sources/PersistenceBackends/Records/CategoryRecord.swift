import GRDB
import MenuModel

/// A category.
struct CategoryRecord: OrderedRecord {
  static let databaseTableName = "category"

  var id: Int
  var position: Int
  var parentId: Int?
  var name: String
}

extension CategoryRecord {
  init(_ category: Category, at position: Int) {
    self.init(
      id: category.id, position: position, parentId: category.parentID,
      name: category.name.stored)
  }

  /// The category.
  func category() throws -> Category {
    Category(id: id, parentID: parentId, name: try name.restored())
  }
}
