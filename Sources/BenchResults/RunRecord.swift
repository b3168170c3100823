/// All that a run measured, and what it takes to make sense of it: the content of `run.json`.
///
/// The contract between measuring and analysing: a stored record can be analysed, reported and
/// compared on another machine without measuring again.
public struct RunRecord: Hashable, Codable, Sendable, RecordPart {
  /// The newest schema that this program writes and reads.
  public static let currentSchema = 1

  /// The record's schema version.
  public var schema = currentSchema
  /// The program that measured.
  public var tool: Tool
  /// Where it measured.
  public var machine: Machine
  /// What it was asked to do.
  public var settings: Settings
  /// The backends that stored, in the order asked for.
  public var backends: [BackendInfo] = []
  /// The menus that were stored.
  public var menus: [MenuInfo] = []
  /// The workloads that were run; nil in records that do not say it.
  public var workloads: [WorkloadInfo]?
  /// Every series, each with the ids of its cell.
  public var cells: [Series] = []
  /// Why and after how many blocks each cell stopped.
  public var outcomes: [Outcome] = []
  /// The cells that could not be measured, with the reason.
  public var failures: [Failure] = []
  /// What readers of any report must know of this run: drift, exact metrics that differed.
  public var warnings: [String] = []
  /// What makes this one side of a gate; nil of a run measured by itself.
  package var pairing: Pairing?
  /// The suite of which this is a part, and which; nil of a run that is whole by itself.
  package var split: Split?

  package init(tool: Tool, machine: Machine, settings: Settings) {
    self.tool = tool
    self.machine = machine
    self.settings = settings
  }

  /// Reads a record; keys beyond those of schema 1's contract may be absent.
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

/// A part of a record, made of what is always known of it; the rest is told with ``with(_:_:)``.
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
  /// How this program measures. It moves when what a phase pays for, what is counted or what malloc is
  /// changes, so that figures of before and after mean different things though they have the same names.
  ///
  /// 5: a process makes less of its suite when it starts, so that cold starts and resident memory are smaller, and
  /// latencies are kept to the nanosecond. 4: searches and what `launch-flow` reads back find caches as the work
  /// before left them. 3: payloads are those of the menu itself, and every program counts as many samples. 2: times
  /// with the system's malloc, every phase pays for what it causes. 1: jemalloc throughout.
  public static let currentMethod = 5
  package static let currentVersion = "0.1.0"

  /// The program's name.
  public var name: String
  /// Its version.
  public var version: String
  /// The git revision of the sources measured, with `-dirty` where they differed; nil if unknown.
  public var revision: String?
  /// How it measures: see ``currentMethod``. Records of different methods do not compare.
  public var method = currentMethod

  package init(name: String, version: String, revision: String?) {
    self.name = name
    self.version = version
    self.revision = revision
  }

  /// Whether the revision says of which sources the program is.
  package var isOfCleanRevision: Bool { revision.map { !$0.hasSuffix("-dirty") } ?? false }

  /// Reads a tool; those that do not say their method are of the first.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    name = try values.decode(String.self, forKey: .name)
    version = try values.decode(String.self, forKey: .version)
    revision = try values.decodeIfPresent(String.self, forKey: .revision)
    method = try values.decodeIfPresent(Int.self, forKey: .method) ?? 1
  }
}

/// What a run was asked to do.
public struct Settings: Hashable, Codable, Sendable, RecordPart {
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
  /// What somebody called the run by, such as `pr` 12; nil where nobody did.
  public var tags: [String: String]?
  /// Whether all was measured in one process, as where none can be started; nil where every block had a
  /// fresh one. Records of the two kinds do not compare.
  public var oneProcess: Bool?
  /// Of what everything was asked for, what is gone by now included; nil where all was named.
  public var takesAll: [Part]?

  /// File systems of which nothing is left after a power cut, so that flushing to them measures nothing.
  package static let memoryFileSystems: Set = ["tmpfs", "ramfs", "devtmpfs", "rootfs"]

  /// Of what everything can be asked for.
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
  /// One line: what it is and by which library.
  public var summary: String
  /// What a reader of its figures must know.
  public var caveat: String?
  /// The ids of what it promises beyond keeping a document; nil in records that do not say it.
  public var promises: [String]?
  /// Whether what was written is there when the store is opened again; nil in records that do not say
  /// it.
  public var survivesRestart: Bool?
  /// Why phases, by their ids, may be faster than their floors, in words; nil where none is.
  public var belowFloor: [String: String]?
  /// The durabilities at which each save is flushed to the drive; nil in records that do not say it.
  public var flushes: [String]?

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
  /// Where it came from: a shape with its seed, or a file and its format.
  public var source: String
  /// A checksum of the whole content, sixteen hexadecimal digits.
  public var fingerprint: String
  /// How many of each thing it holds, in the order to show them in.
  public var counts: [Count]
  /// Which keys of its file have no place in it, and whether it is a stress test.
  public var notes: [String] = []
  /// The count by which its size is told: `slot options`. Nil where that is all of them together, and
  /// in records that do not say it.
  public var sizedBy: String?
  /// What the revision that is stored in turn with it changes; nil in records that do not say it.
  public var change: Change?

  package init(name: String, source: String, fingerprint: String, counts: [Count]) {
    self.name = name
    self.source = source
    self.fingerprint = fingerprint
    self.counts = counts
  }

  /// How much two documents that are stored in turn differ, in lines of their JSON, one value a line.
  public struct Change: Hashable, Codable, Sendable {
    /// The lines that only one of the two has: the more of the two counts.
    public var lines: Int
    /// The lines of the longer one.
    public var of: Int

    package init(lines: Int, of: Int) {
      self.lines = lines
      self.of = of
    }
  }

  /// How many of one thing there are.
  public struct Count: Hashable, Codable, Sendable {
    /// The thing, in the plural: `slot options`.
    public var of: String
    /// How many.
    public var count: Int

    package init(of: String, count: Int) {
      self.of = of
      self.count = count
    }
  }
}

/// A workload that was run.
public struct WorkloadInfo: Hashable, Codable, Sendable {
  /// The id used in cells: its name with every setting that is not at its default.
  public var id: String
  /// What backends are chosen by under it, in the order of its phases; empty where it names none, and
  /// every phase decides by itself.
  public var costs: [Cost]
  /// The ids of its phases, in order; nil in records that do not say it.
  public var phases: [String]?

  package init(id: String, costs: [Cost], phases: [String]? = nil) {
    self.id = id
    self.costs = costs
    self.phases = phases
  }

  /// A cost by which backends are chosen: one phase, or phases of one pass added up.
  ///
  /// A workload may have phases that decide nothing: the start of a process is the same for every
  /// backend, and a simulated network waits the same for all.
  public struct Cost: Hashable, Codable, Sendable, RecordPart {
    /// The cost of storing a whole document.
    package static let save = "save"
    /// The cost of having it back.
    package static let load = "load"
    /// What decides in older records, which do not say it: schema 1 has these phases by name.
    fileprivate static let older = [
      Cost(name: save, phases: ["encode", "write"]), Cost(name: load, phases: ["read", "decode"]),
    ]

    /// What it is called beside its workload: `save` of `roundtrip/save`.
    public var name: String
    /// The ids of the phases whose times are added, sample by sample.
    public var phases: [String]
    /// Those among them that only some backends have; nil of none.
    public var ofSome: [String]?

    package init(name: String, phases: [String], ofSome: [String] = []) {
      self.name = name
      self.phases = phases
      self.ofSome = ofSome.isEmpty ? nil : ofSome
    }

    /// The phases without which there is no figure of it.
    package var needed: [String] { phases.filter { !(ofSome ?? []).contains($0) } }
  }

  /// A workload's name without its settings: `patch` of `patch:changes=100`.
  package static func name(of id: String) -> String { String(id.prefix { $0 != ":" }) }

  /// What decides among phases that were measured: the costs that have all that they need, or, where
  /// none of the phases is of any, every phase by itself. A part of a cost decides nothing.
  package func deciding(_ phases: [String]) -> [Cost] {
    let isOfCosts = costs.contains { !Set($0.phases).isDisjoint(with: phases) }
    return isOfCosts ? measured(phases) : phases.map { Cost(name: $0, phases: [$0]) }
  }

  /// The costs that have all that they need among phases that were measured, with those phases alone.
  package func measured(_ phases: [String]) -> [Cost] {
    costs.filter { Set($0.needed).isSubset(of: phases) }
      .map { $0.with(\.phases, $0.phases.filter(phases.contains)) }
  }
}

extension RunRecord {
  package func backend(_ id: String) -> BackendInfo? { backends.first { $0.id == id } }

  /// What is known of a workload.
  package func workload(_ id: String) -> WorkloadInfo {
    workloads?.first { $0.id == id }
      ?? WorkloadInfo(id: id, costs: workloads == nil ? WorkloadInfo.Cost.older : [])
  }
}

/// How a cell's measuring ended.
public struct Outcome: Hashable, Codable, Sendable, RecordPart {
  /// The cell.
  public var cell: Cell
  /// Timed blocks that were taken.
  public var timedBlocks: Int
  /// Why no more were.
  public var stop: Stop
  /// Why the workload makes no sense on the backend, in words; nil where it was measured.
  public var reason: String?
  /// How long its blocks took, timed or counted, with the start of their processes, in seconds; nil of a cell
  /// without any, and of runs of before.
  public var seconds: Double?

  package init(cell: Cell, timedBlocks: Int, stop: Stop) {
    self.cell = cell
    self.timedBlocks = timedBlocks
    self.stop = stop
  }

  /// Why measuring of a cell stopped.
  public enum Stop: String, Codable, Sendable {
    /// The median's interval of every phase became narrow enough.
    case narrow
    /// The number of blocks that was asked for was reached.
    case blocks
    case budget
    case interrupted
    case failed
    case notApplicable = "not applicable"
    /// Still being measured when the record was saved.
    case running
  }
}

/// A cell that could not be measured.
public struct Failure: Hashable, Codable, Sendable {
  /// The cell.
  public var cell: Cell
  /// What the worker was doing, such as `decode`; nil if it never said.
  public var stage: String?
  /// What went wrong, in words.
  public var reason: String

  package init(cell: Cell, stage: String?, reason: String) {
    self.cell = cell
    self.stage = stage
    self.reason = reason
  }
}
