/// What is measured: one backend, storing one menu, under one workload, at one durability.
///
/// Its four ids are stable, so that a stored run joins with a new one by content, never by position.
public struct Cell: Hashable, Codable, Sendable {
  /// The backend's id, such as `json`.
  public var backend: String
  /// The menu's name, such as `large` or a file's name.
  public var menu: String
  /// The workload's id, such as `roundtrip`.
  public var workload: String
  /// `none`, `atomic` or `durable`.
  public var durability: String

  /// Makes a cell of its four ids.
  public init(backend: String, menu: String, workload: String, durability: String) {
    self.backend = backend
    self.menu = menu
    self.workload = workload
    self.durability = durability
  }
}

extension Cell: CustomStringConvertible {
  /// The four ids with slashes between: `json/large/roundtrip/atomic`.
  public var description: String { "\(backend)/\(menu)/\(workload)/\(durability)" }
}
