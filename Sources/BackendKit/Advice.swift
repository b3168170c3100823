import BenchDocuments

/// A recommendation by a storage's author, and whether a backend follows it. `bench list backends
/// --verbose` prints it.
public struct Advice: Hashable, Sendable {
  /// The recommendation in our words, such as `many rows in one transaction`.
  public let says: String
  /// The address of the page that recommends it.
  public let source: String
  /// `followed`, or what is done instead and why.
  public let here: String

  /// Makes a recommendation.
  public init(_ says: String, source: String, here: String = "followed") {
    self.says = says
    self.source = source
    self.here = here
  }
}

/// A setting of a backend, such as `sqlite:mmap_size=268435456`.
public struct BackendSetting<Document: BenchDocument>: Sendable {
  /// The name before the `=`.
  public let name: String
  /// A short description of its effect and its values.
  public let summary: String
  /// Returns the backend with this value, named with it. Returns nil if the value is not accepted.
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
  /// Returns the same backend with these settings.
  public func settable(_ settings: [BackendSetting<Document>]) -> Self {
    var entry = self
    entry.settings = settings
    return entry
  }

  /// Returns the same backend with a few words on what its figures do not stand for. It is not recommended.
  package func noted(_ note: String) -> Self {
    var entry = self
    entry.note = note
    return entry
  }

  /// Returns the same backend with further recommendations, after those of its parts.
  public func advised(_ advice: [Advice]) -> Self {
    var entry = self
    entry.advice += advice
    return entry
  }

  /// Returns the same backend with its difference from a codec in a place.
  ///
  /// - Parameters:
  ///   - pair: the pair that is most similar to it.
  ///   - words: what it does in addition, such as `encodes nothing`.
  public func beyond(_ pair: CodecAndPlace, _ words: String) -> Self {
    var entry = self
    entry.beyond = "\(pair) and \(words)"
    return entry
  }
}
