/// Everything that a run measured, with the facts that explain it: the content of `run.json`.
///
/// This is the contract between measuring and analysing. A stored record can be analysed, reported
/// and compared on another machine without measuring again.
public struct RunRecord: Hashable, Codable, Sendable, RecordPart {
  /// The newest schema that this program writes and reads.
  public static let currentSchema = 1

  /// The record's schema version.
  public var schema = currentSchema
  /// The program that measured.
  public var tool: Tool
  /// The machine that it measured on.
  public var machine: Machine
  /// The settings of the run.
  public var settings: Settings
  /// The backends that stored menus, in the requested order.
  public var backends: [BackendInfo] = []
  /// The menus that were stored.
  public var menus: [MenuInfo] = []
  /// The workloads that were run; nil in records without them.
  public var workloads: [WorkloadInfo]?
  /// All series, each with the ids of its cell.
  public var cells: [Series] = []
  /// Why each cell stopped, and after how many blocks.
  public var outcomes: [Outcome] = []
  /// The cells that could not be measured, with the reason.
  public var failures: [Failure] = []
  /// Warnings for the readers of any report, such as drift, or exact metrics that differed.
  public var warnings: [String] = []
  /// Marks the record as one side of a gate, or nil for a run measured by itself.
  package var pairing: Pairing?
  /// The suite that this is a part of, and which part, or nil for a complete run.
  package var split: Split?

  package init(tool: Tool, machine: Machine, settings: Settings) {
    self.tool = tool
    self.machine = machine
    self.settings = settings
  }

  /// Reads a record. Keys beyond those of schema 1's contract may be absent.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    schema = try values.decode(Int.self, forKey: .schema)
    tool = try values.decode(Tool.self, forKey: .tool)
    machine = try values.decode(Machine.self, forKey: .machine)
    settings = try values.decode(Settings.self, forKey: .settings)
    menus = try values.decode([MenuInfo].self, forKey: .menus)
    workloads = try values.decodeIfPresent([WorkloadInfo].self, forKey: .workloads)
    cells = try values.decode([Series].self, forKey: .cells)
    failures = try values.decode([Failure].self, forKey: .failures)
    backends = try values.decodeIfPresent([BackendInfo].self, forKey: .backends) ?? []
    outcomes = try values.decodeIfPresent([Outcome].self, forKey: .outcomes) ?? []
    warnings = try values.decodeIfPresent([String].self, forKey: .warnings) ?? []
    pairing = try values.decodeIfPresent(Pairing.self, forKey: .pairing)
    split = try values.decodeIfPresent(Split.self, forKey: .split)
  }
}

/// A part of a record. It is made of what is always known, and ``with(_:_:)`` adds the rest.
package protocol RecordPart {}

extension RecordPart {
  package func with<Value>(_ path: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
    var changed = self
    changed[keyPath: path] = value
    return changed
  }
}

/// The program that measured.
public struct Tool: Hashable, Codable, Sendable, RecordPart {
  /// The version of the measuring method. It changes with the allocator, with what is counted, and with what a
  /// phase pays for: figures of the same name are then not comparable.
  ///
  /// 6: a first screen has cards, an app holds the menu that it changes, and counts of a save leave out the log's
  /// copy. 5: cold starts make less of the suite, and latencies are kept to the nanosecond. 4: searches find
  /// caches as the work before left them. 3: payloads are those of the menu itself, and every program counts equally
  /// many samples. 2: times use the system's malloc, and phases pay for what they cause. 1: jemalloc throughout.
  public static let currentMethod = 6
  package static let currentVersion = "0.1.0"

  /// The program's name.
  public var name: String
  /// Its version.
  public var version: String
  /// The git revision of the measured sources, with `-dirty` if they had changes, or nil if unknown.
  public var revision: String?
  /// How it measures: see ``currentMethod``. Records of different methods are not compared.
  public var method = currentMethod

  package init(name: String, version: String, revision: String?) {
    self.name = name
    self.version = version
    self.revision = revision
  }

  /// Whether the revision identifies the program's sources.
  package var isOfCleanRevision: Bool { revision.map { !$0.hasSuffix("-dirty") } ?? false }

  /// Reads a tool. A tool without a method used the first one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    version = try values.decode(String.self, forKey: .version)
    revision = try values.decodeIfPresent(String.self, forKey: .revision)
    method = try values.decodeIfPresent(Int.self, forKey: .method) ?? 1
  }
}

/// The settings of a run.
public struct Settings: Hashable, Codable, Sendable, RecordPart {
  /// When the run began, ISO 8601 in UTC.
  public var started: String
  /// The number of timed blocks requested; nil means until the interval is narrow or the budget ends.
  public var blocks: Int?
  /// Seconds that the whole run may take, or nil for no limit.
  public var budgetSeconds: Double?
  /// The half-width of the median's interval, relative to the median, at which a cell is done.
  public var targetPrecision: Double
  /// The seed of the order of blocks.
  public var scheduleSeed: UInt64
  /// The folder in which the backends kept their stores.
  public var storage: String
  /// That folder's file system, such as `ext4`, or nil if unknown.
  public var fileSystem: String?
  /// The tags that the user gave the run, such as `pr` 12, or nil for none.
  public var tags: [String: String]?
  /// Whether everything was measured in one process, because none can be started, or nil if every
  /// block had a fresh one. Records of the two kinds are not compared.
  public var oneProcess: Bool?
  /// The parts requested as a whole, including what no longer exists, or nil if everything was named.
  public var takesAll: [Part]?

  /// File systems that a power cut erases, so that flushing to them measures nothing.
  package static let memoryFileSystems: Set = ["tmpfs", "ramfs", "devtmpfs", "rootfs"]

  /// The parts of a run that can be requested as a whole.
  public enum Part: String, Codable, Sendable {
    case backends, workloads, metrics
  }

  package init(
    started: String, targetPrecision: Double, scheduleSeed: UInt64, storage: String
  ) {
    self.started = started
    self.targetPrecision = targetPrecision
    self.scheduleSeed = scheduleSeed
    self.storage = storage
  }
}

/// A backend that stored menus.
public struct BackendInfo: Hashable, Codable, Sendable, RecordPart {
  /// The id used in cells.
  public var id: String
  /// One line: what the backend is, and which library it uses.
  public var summary: String
  /// A caveat for readers of its figures.
  public var caveat: String?
  /// The ids of its promises beyond keeping a document; nil in records without them.
  public var promises: [String]?
  /// Whether written data is there when the store is opened again; nil in records without this.
  public var survivesRestart: Bool?
  /// Why phases may be faster than their floors, in words by phase id, or nil if none may.
  public var belowFloor: [String: String]?
  /// The durabilities at which each save is flushed to the drive; nil in records without them.
  public var flushes: [String]?
  /// A few words on what its figures do not stand for, or nil.
  public var note: String?

  package init(id: String, summary: String, caveat: String? = nil) {
    self.id = id
    self.summary = summary
    self.caveat = caveat
  }
}

/// A menu that was stored.
public struct MenuInfo: Hashable, Codable, Sendable, RecordPart {
  /// The name used in cells.
  public var name: String
  /// Its origin: a shape with its seed, or a file and its format.
  public var source: String
  /// A checksum of the whole content, as sixteen hexadecimal digits.
  public var fingerprint: String
  /// How many of each thing it holds, in display order.
  public var counts: [Count]
  /// Notes on keys of its file that have no place in it, and on whether it is a stress test.
  public var notes: [String] = []
  /// The count that gives its size, such as `slot options`. Nil if all counts together do, and in
  /// records without it.
  public var sizedBy: String?
  /// The change made by the revision that is stored in turn with it; nil in records without it.
  public var change: Change?

  package init(name: String, source: String, fingerprint: String, counts: [Count]) {
    self.name = name
    self.source = source
    self.fingerprint = fingerprint
    self.counts = counts
  }

  /// How much two documents that are stored in turn differ, in lines of JSON with one value per line.
  public struct Change: Hashable, Codable, Sendable {
    /// The lines that only one of the two has: the larger of the two counts.
    public var lines: Int
    /// The lines of the longer document.
    public var of: Int

    package init(lines: Int, of: Int) {
      self.lines = lines
      self.of = of
    }
  }

  /// The things of one kind that a menu holds.
  public struct Count: Hashable, Codable, Sendable {
    /// The kind, in the plural: `slot options`.
    public var of: String
    /// The number of things.
    public var count: Int

    package init(of: String, count: Int) {
      self.of = of
      self.count = count
    }
  }
}

/// A workload that was run.
public struct WorkloadInfo: Hashable, Codable, Sendable, RecordPart {
  /// The id used in cells: its name with every setting that is not at its default.
  public var id: String
  /// The costs that decide between backends, in the order of its phases. If there are none, every
  /// phase decides by itself.
  public var costs: [Cost]
  /// The ids of its phases, in order; nil in records without them.
  public var phases: [String]?
  /// The ids of the phases that save, and so may flush; nil in records without them.
  public var saves: [String]?

  package init(id: String, costs: [Cost], phases: [String]? = nil) {
    self.id = id
    self.costs = costs
    self.phases = phases
  }

  /// A cost by which backends are chosen: one phase, or the sum of several phases of one pass.
  ///
  /// A workload may have phases that decide nothing. The start of a process, for example, is the
  /// same for every backend, and so is the wait of a simulated network.
  public struct Cost: Hashable, Codable, Sendable, RecordPart {
    /// The cost of storing a whole document.
    package static let save = "save"
    /// The cost of reading it back.
    package static let load = "load"
    /// The costs of older records, which name none: schema 1 has these phases by name.
    fileprivate static let older = [
      Cost(name: save, phases: ["encode", "write"]), Cost(name: load, phases: ["read", "decode"]),
    ]

    /// Its name within its workload: `save` in `roundtrip/save`.
    public var name: String
    /// The ids of the phases whose times are added, sample by sample.
    public var phases: [String]
    /// The phases among them that only some backends have, or nil for none.
    public var ofSome: [String]?

    package init(name: String, phases: [String], ofSome: [String] = []) {
      self.name = name
      self.phases = phases
      self.ofSome = ofSome.isEmpty ? nil : ofSome
    }

    /// The phases that a figure of this cost needs.
    package var needed: [String] { phases.filter { !(ofSome ?? []).contains($0) } }
  }

  /// Returns a workload's name without its settings: `patch` for `patch:changes=100`.
  package static func name(of id: String) -> String { String(id.prefix { $0 != ":" }) }
}

extension RunRecord {
  package func backend(_ id: String) -> BackendInfo? { backends.first { $0.id == id } }

  /// Returns what is known of a workload.
  package func workload(_ id: String) -> WorkloadInfo {
    workloads?.first { $0.id == id }
      ?? WorkloadInfo(id: id, costs: workloads == nil ? WorkloadInfo.Cost.older : [])
  }
}

/// How the measuring of a cell ended.
public struct Outcome: Hashable, Codable, Sendable, RecordPart {
  /// The cell.
  public var cell: Cell
  /// The number of timed blocks.
  public var timedBlocks: Int
  /// Why measuring stopped.
  public var stop: Stop
  /// Why the workload does not suit the backend, in words, or nil if it was measured.
  public var reason: String?
  /// The seconds that its blocks took, timed or counted, including process starts. Nil without
  /// blocks, and in older records.
  public var seconds: Double?

  package init(cell: Cell, timedBlocks: Int, stop: Stop) {
    self.cell = cell
    self.timedBlocks = timedBlocks
    self.stop = stop
  }

  /// Why the measuring of a cell stopped.
  public enum Stop: String, Codable, Sendable {
    /// The median's interval became narrow enough in every phase.
    case narrow
    /// The requested number of blocks was reached.
    case blocks
    case budget
    case interrupted
    case failed
    case notApplicable = "not applicable"
    /// The cell was still being measured when the record was saved.
    case running
  }
}

/// A cell that could not be measured.
public struct Failure: Hashable, Codable, Sendable {
  /// The cell.
  public var cell: Cell
  /// The worker's last stage, such as `decode`, or nil if it reported none.
  public var stage: String?
  /// The reason, in words.
  public var reason: String

  package init(cell: Cell, stage: String?, reason: String) {
    self.cell = cell
    self.stage = stage
    self.reason = reason
  }
}
