/// A shelf of the menu.
public struct Category: Codable, Hashable, Sendable {
  /// Unique among the menu's categories.
  public var id: Int
  /// The category that this one stands in; nil at the top.
  public var parentID: Int?
  /// The name shown.
  public var name: String

  /// Makes a category.
  public init(id: Int, parentID: Int? = nil, name: String) {
    self.id = id
    self.parentID = parentID
    self.name = name
  }
}
