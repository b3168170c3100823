import Foundation
import GRDB
import MenuModel

/// How products are found by a piece of their name: SQLite goes through the products, nothing but
/// the ids found comes into the program.
///
/// Keys are blobs throughout. GRDB hands texts to functions and takes them back as C strings, which
/// end at their first NUL, while `instr` and ORDER BY compare blobs byte by byte, as ``NameSearch``
/// does.
enum NameQuery {
  /// The ids found; the parameter is the key of what is sought. GRDB gives NULL for an empty blob.
  static let sql = """
    SELECT id FROM \
    (SELECT id, coalesce(name_key(CAST(name AS BLOB)), x'') AS key FROM product) \
    WHERE instr(key, CAST(?1 AS BLOB)) ORDER BY key, id
    """

  /// `name_key(name)`: the name's ``NameSearch/key(_:)``.
  static let function = DatabaseFunction("name_key", argumentCount: 1, pure: true) { values in
    guard let name = values.first.flatMap(Data.fromDatabaseValue),
      let text = String(validating: name, as: UTF8.self)
    else {
      throw DatabaseError(message: "a product's name is not UTF-8")
    }
    return Data(NameSearch.key(text).utf8)
  }
}
