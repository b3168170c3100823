/// What is measured: one backend, storing one menu, under one workload, at one durability.
///
/// Its four ids are stable, so that a stored run joins with a new one by content, never by position.
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

  /// The four ids with slashes between: `json/large/roundtrip/atomic`.
  public var description: String { "\(backend)/\(menu)/\(workload)/\(durability)" }
}

/// Every raw value of one metric of one phase of one cell, block by block, in run order.
///
/// One element of `cells[]` in `run.json`. The block, a fresh worker process, is the unit of
/// analysis: values within a block share what differs between processes.
public struct Series: Hashable, Sendable {
  /// The cell that was measured.
  public var cell: Cell
  /// The workload's phase, such as `encode`; floors and the control have phases of their own.
  public var phase: String
  /// What was measured.
  public var metric: Metric
  /// Raw values, one array a block; empty where the metric is unsupported.
  public var blocks: [[Double]]
  /// Why there are no values, where there can be none: never a 0 in their place.
  public var unsupported: String?
  /// The phase of the same cell that bounds this one from below, where there is such a floor.
  public var floor: String?
  /// How the phase was done, where there is more than one way: `native`, or by the `whole menu`.
  public var route: String?
  /// Of how many repetitions, timed as one, a value is the mean, where one alone would be too short to
  /// be told from the clock's own cost; nil of single ones.
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

  /// The route of what is read from what the process holds, without its store.
  package static let heldRoute = "what is held"

  /// The most that a value can be: no duration, count or size that a machine can have is larger, but a counter
  /// that went back is.
  package static let most = 1e18

  /// The first value that nothing can have measured; nil where there is none.
  package var impossibleValue: Double? {
    blocks.joined().first { !(0...Self.most).contains($0) }
  }

  /// What identifies the series within a run and joins it with another run's.
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
