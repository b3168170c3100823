/// One backend that stores one menu under one workload at one durability.
///
/// The four ids are stable, so a stored run joins with a new one by content, never by position.
public struct Cell: Hashable, Codable, Sendable, CustomStringConvertible {
  /// The backend's id, such as `json`.
  public var backend: String
  /// The menu's name, such as `large` or a file's name.
  public var menu: String
  /// The workload's id, such as `roundtrip`.
  public var workload: String
  /// `none`, `atomic` or `durable`.
  public var durability: String

  package init(backend: String, menu: String, workload: String, durability: String) {
    self.backend = backend
    self.menu = menu
    self.workload = workload
    self.durability = durability
  }

  /// The four ids, separated by slashes: `json/large/roundtrip/atomic`.
  public var description: String { "\(backend)/\(menu)/\(workload)/\(durability)" }
}

/// The raw values of one metric of one phase of one cell, block by block, in run order.
///
/// It is one element of `cells[]` in `run.json`. A block, a fresh worker process, is the unit of
/// analysis: values within a block share what differs between processes.
public struct Series: Hashable, Sendable {
  /// The cell that was measured.
  public var cell: Cell
  /// The workload's phase, such as `encode`. Floors and the control have phases of their own.
  public var phase: String
  /// The metric that was measured.
  public var metric: Metric
  /// The raw values, one array per block, or empty if the metric is unsupported.
  public var blocks: [[Double]]
  /// The reason if there can be no values: a 0 never replaces them.
  public var unsupported: String?
  /// The phase of the same cell that bounds this one from below, or nil if there is no such floor.
  public var floor: String?
  /// How the phase was done if there is more than one way, such as `native` or `whole menu`.
  public var route: String?
  /// The number of repetitions that a value is the mean of, or nil for single ones. Repetitions are
  /// timed together if one alone is too short for the clock.
  public var batch: Int?

  package init(
    cell: Cell, phase: String, metric: Metric, blocks: [[Double]] = [],
    unsupported: String? = nil, floor: String? = nil, batch: Int? = nil
  ) {
    self.cell = cell
    self.phase = phase
    self.metric = metric
    self.blocks = blocks
    self.unsupported = unsupported
    self.floor = floor
    self.batch = batch
  }

  /// The route of a read that the process serves from what it holds, without its store.
  package static let heldRoute = "what is held"

  /// The largest possible value. No duration, count or size of a machine is larger, but a counter
  /// that went backwards is.
  package static let most = 1e18

  /// The first value that cannot have been measured, or nil if there is none.
  package var impossibleValue: Double? {
    blocks.joined().first { !(0...Self.most).contains($0) }
  }

  /// Identifies the series within a run, and joins it with the same series of another run.
  package var key: Key { Key(cell: cell, phase: phase, metric: metric.id) }

  package struct Key: Hashable, Sendable {
    package var cell: Cell
    package var phase: String
    /// The metric's id.
    package var metric: String

    package init(cell: Cell, phase: String, metric: String) {
      self.cell = cell
      self.phase = phase
      self.metric = metric
    }
  }
}

extension Series: Codable {
  private enum CodingKeys: String, CodingKey {
    case phase, blocks, unsupported, floor, route, batch
  }

  /// Reads the flat form of `run.json`.
  public init(from decoder: any Decoder) throws {
    cell = try Cell(from: decoder)
    metric = try Metric(from: decoder)
    let values = try decoder.container(keyedBy: CodingKeys.self)
    phase = try values.decode(String.self, forKey: .phase)
    blocks = try values.decode([[Double]].self, forKey: .blocks)
    unsupported = try values.decodeIfPresent(String.self, forKey: .unsupported)
    floor = try values.decodeIfPresent(String.self, forKey: .floor)
    route = try values.decodeIfPresent(String.self, forKey: .route)
    batch = try values.decodeIfPresent(Int.self, forKey: .batch)
  }

  /// Writes the flat form of `run.json`.
  public func encode(to encoder: any Encoder) throws {
    try cell.encode(to: encoder)
    try metric.encode(to: encoder)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(phase, forKey: .phase)
    try values.encode(blocks, forKey: .blocks)
    try values.encodeIfPresent(unsupported, forKey: .unsupported)
    try values.encodeIfPresent(floor, forKey: .floor)
    try values.encodeIfPresent(route, forKey: .route)
    try values.encodeIfPresent(batch, forKey: .batch)
  }
}
