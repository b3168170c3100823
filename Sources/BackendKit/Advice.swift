import BenchDocuments

/// What the author of a storage recommends, and what a backend makes of it: what its page tells whoever
/// asks whether the storage was written as its own author would write it.
public struct Advice: Hashable, Sendable {
  /// The recommendation, in our words: `many rows in one transaction`.
  public let says: String
  /// Where it stands: a page's address.
  public let source: String
  /// What becomes of it here: `followed`, or what is done instead and why.
  public let here: String

  /// Notes a recommendation.
  public init(_ says: String, source: String, here: String = "followed") {
    self.says = says
    self.source = source
    self.here = here
  }
}

/// Something that can be set of a backend: `sqlite:mmap_size=268435456`.
public struct BackendSetting<Document: BenchDocument>: Sendable {
  /// What stands before the `=`.
  public let name: String
  /// What it sets and which values it takes, in a few words.
  public let summary: String
  /// The backend so set, under the name with its value; nil for a value that it does not take.
  public let backend: @Sendable (_ value: String) -> BackendEntry<Document>?

  /// Describes a setting.
  public init(
    name: String, summary: String,
    backend: @escaping @Sendable (_ value: String) -> BackendEntry<Document>?
  ) {
    self.name = name
    self.summary = summary
    self.backend = backend
  }
}

extension BackendEntry {
  /// The same backend with what can be set of it.
  public func settable(_ settings: [BackendSetting<Document>]) -> Self {
    var entry = self
    entry.settings = settings
    return entry
  }

  /// The same backend with what authors recommend, after what is known of its parts.
  public func advised(_ advice: [Advice]) -> Self {
    var entry = self
    entry.advice += advice
    return entry
  }

  /// The same backend with what it does that a codec at a place does not.
  ///
  /// - Parameters:
  ///   - pair: the pair that comes nearest to it.
  ///   - words: what it does besides: `keeps a key an entity`.
  public func beyond(_ pair: CodecAndPlace, _ words: String) -> Self {
    var entry = self
    entry.beyond = "\(pair) and \(words)"
    return entry
  }
}
