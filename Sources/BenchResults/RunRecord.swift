/// All that a run measured, and what it takes to make sense of it: the content of `run.json`.
///
/// The contract between measuring and analysing: a stored record can be analysed, reported and
/// compared on another machine without measuring again.
public struct RunRecord: Hashable, Codable, Sendable {
  /// The newest schema that this program writes and reads.
  public static let currentSchema = 1

  /// The record's schema version.
  public var schema: Int
  /// The program that measured.
  public var tool: Tool
  /// Where it measured.
  public var machine: Machine
  /// What it was asked to do.
  public var settings: Settings
  /// The backends that stored, in the order asked for.
  public var backends: [BackendInfo]
  /// The menus that were stored.
  public var menus: [MenuInfo]
  /// Every series, each with the ids of its cell.
  public var cells: [Series]
  /// Why and after how many blocks each cell stopped.
  public var outcomes: [Outcome]
  /// The cells that could not be measured, with the reason.
  public var failures: [Failure]
  /// What readers of any report must know of this run: drift, exact metrics that differed.
  public var warnings: [String]
  /// What makes this one side of a gate; nil of a run measured by itself.
  public var pairing: Pairing?

  /// Makes a record of the current schema.
  public init(
    tool: Tool, machine: Machine, settings: Settings, backends: [BackendInfo] = [],
    menus: [MenuInfo] = [], cells: [Series] = [], outcomes: [Outcome] = [],
    failures: [Failure] = [], warnings: [String] = [], pairing: Pairing? = nil
  ) {
    schema = Self.currentSchema
    self.tool = tool
    self.machine = machine
    self.settings = settings
    self.backends = backends
    self.menus = menus
    self.cells = cells
    self.outcomes = outcomes
    self.failures = failures
    self.warnings = warnings
    self.pairing = pairing
  }
}

extension RunRecord {
  /// Reads a record; keys beyond those of schema 1's contract may be absent.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    schema = try values.decode(Int.self, forKey: .schema)
    tool = try values.decode(Tool.self, forKey: .tool)
    machine = try values.decode(Machine.self, forKey: .machine)
    settings = try values.decode(Settings.self, forKey: .settings)
    menus = try values.decode([MenuInfo].self, forKey: .menus)
    cells = try values.decode([Series].self, forKey: .cells)
    failures = try values.decode([Failure].self, forKey: .failures)
    backends = try values.decodeIfPresent([BackendInfo].self, forKey: .backends) ?? []
    outcomes = try values.decodeIfPresent([Outcome].self, forKey: .outcomes) ?? []
    warnings = try values.decodeIfPresent([String].self, forKey: .warnings) ?? []
    pairing = try values.decodeIfPresent(Pairing.self, forKey: .pairing)
  }
}
