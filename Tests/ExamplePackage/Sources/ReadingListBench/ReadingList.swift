/// The books that a person reads, has read and wants to read.
struct ReadingList: Codable, Equatable, Sendable {
  var owner: String
  var revision: Int
  var shelves: [FilterQuery]
}

/// Books that belong together.
struct FilterQuery: Codable, Equatable, Sendable {
  var name: String
  var books: [Book]
}

/// A book with what its reader thinks of it.
struct Book: Codable, Equatable, Sendable {
  var title: String
  var subtitle: String?
  var authors: [String]
  var pages: Int
  /// In stars, or nil until it is read.
  var rating: Double?
  var notes: [Note]
}

/// A sentence worth keeping.
struct Note: Codable, Equatable, Sendable {
  var page: Int?
  var text: String
}
