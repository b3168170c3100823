import BenchDocuments

/// A codec as a suite lists it: the part before the `@` in `protobuf@lmdb`.
public struct CodecEntry<Document: BenchDocument>: Sendable {
  /// The id used on the command line.
  public let id: String
  /// A short description of its bytes and its library: `JSON by Foundation`.
  public let summary: String
  /// A caveat for readers of its figures, in whichever place its bytes are kept.
  public let caveat: String?
  /// The library that does the work, or nil if not given.
  public let library: Library?
  /// The extension of its files' names, without the first dot: `json.zst`.
  public let fileExtension: String
  /// The recommendations of its author.
  public let advice: [Advice]
  let backend: @Sendable (any PlaceOpener) -> TypedOpening<Document>

  /// Describes a codec of any `Codable` document. A new one is made for every store.
  public init<C: Codec & SendableMetatype>(
    id: String, summary: String, caveat: String? = nil, library: Library? = nil,
    fileExtension: String, advice: [Advice] = [],
    codec: @escaping @autoclosure @Sendable () throws -> C
  ) {
    self.init(
      id: id, summary: summary, caveat: caveat, library: library, fileExtension: fileExtension,
      advice: advice, documentCodec: CodableCodec<Document, C>(try codec()))
  }

  /// Describes a codec of one document type. A new one is made for every store.
  public init<C: DocumentCodec<Document> & SendableMetatype>(
    id: String, summary: String, caveat: String? = nil, library: Library? = nil,
    fileExtension: String, advice: [Advice] = [],
    documentCodec: @escaping @autoclosure @Sendable () throws -> C
  ) {
    self.id = id
    self.summary = summary
    self.caveat = caveat
    self.library = library
    self.fileExtension = fileExtension
    self.advice = advice
    backend = { $0.backend(of: documentCodec, fileExtension: fileExtension) }
  }
}

/// The type of a codec's backend in a place, and the function that opens a store of it.
typealias TypedOpening<Document: BenchDocument> = (
  type: Any.Type, open: @Sendable (StoreContext) throws -> any Backend<Document>
)

/// A place as a suite lists it: the part after the `@` in `protobuf@lmdb`.
public struct PlaceEntry: Sendable {
  /// The id used on the command line.
  public let id: String
  /// A description that follows the codec's: `in one file`.
  public let summary: String
  /// A caveat for readers of its figures, for all bytes that it keeps.
  public let caveat: String?
  /// The library that does the work, or nil if not given.
  public let library: Library?
  /// Whether bytes are still there when the store is opened again.
  public let survivesRestart: Bool
  /// The lowest durability at which every save is flushed before it returns, as for
  /// ``BackendEntry/flushedFrom``.
  public let flushedFrom: Durability
  /// The highest durability at which a crash leaves the old or the new bytes.
  public let promises: Durability
  /// The reasons why phases may take less than their floors, as for ``BackendEntry/belowFloor``.
  public let belowFloor: [String: String]
  /// The recommendations of its author.
  public let advice: [Advice]
  let opener: any PlaceOpener
}

extension PlaceEntry {
  /// Describes a place.
  ///
  /// - Parameter open: opens the place in a store, for bytes with a name such as `menu.json`. A
  ///   place that uses files may give its file that name.
  public init<P: Place & SendableMetatype>(
    id: String, summary: String, caveat: String? = nil, library: Library? = nil,
    survivesRestart: Bool = true, flushedFrom: Durability = .atomic,
    promises: Durability = .none, belowFloor: [String: String] = [:], advice: [Advice] = [],
    open: @escaping @Sendable (StoreContext, _ name: String) throws -> P
  ) {
    self.init(
      id: id, summary: summary, caveat: caveat, library: library, survivesRestart: survivesRestart,
      flushedFrom: flushedFrom, promises: promises, belowFloor: belowFloor, advice: advice,
      opener: OpenerOf(open: open))
  }
}

extension BackendEntry {
  /// Describes a codec in a place. Both are made separately for every store.
  ///
  /// ```swift
  /// BackendEntry(.json, in: .file)               // json@file
  /// BackendEntry(.json, in: .file, id: "json")   // the same with its own name
  /// ```
  ///
  /// - Parameters:
  ///   - id: the backend's id, by default `CODEC@PLACE`.
  ///   - caveat: a caveat for the combination, after those of the codec and the place.
  public init(
    _ codec: CodecEntry<Document>, in place: PlaceEntry, id: String? = nil, caveat: String? = nil
  ) {
    let pair = CodecAndPlace(codec: codec.id, place: place.id)
    let caveats = [codec.caveat, place.caveat, caveat].compactMap { $0 }
    let (type, open) = codec.backend(place.opener)
    self.init(
      id: id ?? pair.description, summary: "\(codec.summary), \(place.summary)",
      caveat: caveats.isEmpty ? nil : caveats.joined(separator: ". "),
      survivesRestart: place.survivesRestart, flushedFrom: place.flushedFrom,
      libraries: Library.together([codec.library, place.library]), pair: pair,
      advice: codec.advice + place.advice, belowFloor: place.belowFloor, open: open, type: type,
      durability: place.promises)
  }

  /// Describes your own codec in your own place:
  ///
  /// ```swift
  /// BackendEntry(id: "json", summary: "JSON in one file", codec: JSONCodec()) {
  ///   FilePlace($0, name: "menu.json")
  /// }
  /// ```
  public init<C: Codec & SendableMetatype, P: Place & SendableMetatype>(
    id: String, summary: String, caveat: String? = nil, survivesRestart: Bool = true,
    flushedFrom: Durability = .atomic, library: Library? = nil, promises: Durability = .none,
    belowFloor: [String: String] = [:],
    codec: @escaping @autoclosure @Sendable () throws -> C,
    place: @escaping @Sendable (StoreContext) throws -> P
  ) {
    self.init(
      id: id, summary: summary, caveat: caveat, survivesRestart: survivesRestart,
      flushedFrom: flushedFrom, library: library, promises: promises, belowFloor: belowFloor
    ) { store in
      CodecBackend(codec: CodableCodec<Document, C>(try codec()), place: try place(store))
    }
  }

}

/// The two parts of a backend's name: `protobuf@lmdb`.
public struct CodecAndPlace: Hashable, Sendable, CustomStringConvertible {
  /// The ``CodecEntry/id``.
  public var codec: String
  /// The ``PlaceEntry/id``.
  public var place: String

  /// Makes a pair from two ids.
  public init(codec: String, place: String) { (self.codec, self.place) = (codec, place) }

  /// The name of the pair: `protobuf@lmdb`.
  public var description: String { "\(codec)@\(place)" }
}

/// Makes the backend of a codec in one place. It preserves the types of both.
protocol PlaceOpener: Sendable {
  func backend<C: DocumentCodec & SendableMetatype>(
    of codec: @escaping @Sendable () throws -> C, fileExtension: String
  ) -> TypedOpening<C.Document>
}

private struct OpenerOf<P: Place & SendableMetatype>: PlaceOpener {
  let open: @Sendable (StoreContext, String) throws -> P

  func backend<C: DocumentCodec & SendableMetatype>(
    of codec: @escaping @Sendable () throws -> C, fileExtension: String
  ) -> TypedOpening<C.Document> {
    let name = "menu." + fileExtension
    return (
      CodecBackend<C, P>.self, { CodecBackend(codec: try codec(), place: try open($0, name)) }
    )
  }
}
