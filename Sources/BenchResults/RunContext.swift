/// The program that measured.
public struct Tool: Hashable, Codable, Sendable {
  /// The program's name.
  public var name: String
  /// Its version.
  public var version: String
  /// The git revision of the sources measured, with `-dirty` where they differed; nil if unknown.
  public var revision: String?

  /// Makes a tool description.
  public init(name: String, version: String, revision: String?) {
    self.name = name
    self.version = version
    self.revision = revision
  }
}

/// What a run was asked to do.
public struct Settings: Hashable, Codable, Sendable {
  /// When the run began, ISO 8601 in UTC.
  public var started: String
  /// Timed blocks asked for; nil means until the interval is narrow or the budget ends.
  public var blocks: Int?
  /// Seconds that the whole run may take; nil for no end.
  public var budgetSeconds: Double?
  /// The half-width of the median's interval, relative to the median, at which a cell is done.
  public var targetPrecision: Double
  /// The seed of the order of blocks.
  public var scheduleSeed: UInt64
  /// The folder in which the backends kept their stores.
  public var storage: String
  /// That folder's file system, such as `ext4`; nil if unknown.
  public var fileSystem: String?

  /// Makes settings.
  public init(
    started: String, blocks: Int?, budgetSeconds: Double?, targetPrecision: Double,
    scheduleSeed: UInt64, storage: String, fileSystem: String?
  ) {
    self.started = started
    self.blocks = blocks
    self.budgetSeconds = budgetSeconds
    self.targetPrecision = targetPrecision
    self.scheduleSeed = scheduleSeed
    self.storage = storage
    self.fileSystem = fileSystem
  }
}

/// A backend that stored menus.
public struct BackendInfo: Hashable, Codable, Sendable {
  /// The id used in cells.
  public var id: String
  /// One line: what it is and by which library.
  public var summary: String
  /// What a reader of its figures must know.
  public var caveat: String?
  /// The ids of what it promises beyond keeping a document; nil in records that do not say it.
  public var promises: [String]?
  /// Whether what was written is there when the store is opened again; nil in records that do not say
  /// it.
  public var survivesRestart: Bool?

  /// Makes a description.
  public init(
    id: String, summary: String, caveat: String? = nil, promises: [String]? = nil,
    survivesRestart: Bool? = nil
  ) {
    self.id = id
    self.summary = summary
    self.caveat = caveat
    self.promises = promises
    self.survivesRestart = survivesRestart
  }
}

/// A menu that was stored.
public struct MenuInfo: Hashable, Codable, Sendable {
  /// The name used in cells.
  public var name: String
  /// Where it came from: a shape with its seed, or a file and its format.
  public var source: String
  /// A checksum of the whole content, sixteen hexadecimal digits.
  public var fingerprint: String
  /// How many of each thing it holds, in the order to show them in.
  public var counts: [Count]
  /// What the importer could not place, and whether the menu is a stress test.
  public var notes: [String]

  /// Makes a description.
  public init(
    name: String, source: String, fingerprint: String, counts: [Count], notes: [String] = []
  ) {
    self.name = name
    self.source = source
    self.fingerprint = fingerprint
    self.counts = counts
    self.notes = notes
  }

  /// How many of one thing there are.
  public struct Count: Hashable, Codable, Sendable {
    /// The thing, in the plural: `slot options`.
    public var of: String
    /// How many.
    public var count: Int

    /// Makes a count.
    public init(of: String, count: Int) {
      self.of = of
      self.count = count
    }
  }
}
