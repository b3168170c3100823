import Foundation

/// An entity as a storage keeps it.
struct StoredEntity: Hashable, Sendable {
  var key: EntityKey
  /// JSON text in UTF-8.
  var body: Data
}
