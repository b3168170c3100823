import Foundation

/// What a fresh process is asked to do, in the folder of the store.
///
/// It travels as arguments: a JSON decoder used for it would be warm when the store wants one.
public struct ColdRequest: Hashable, Sendable {
  /// The workload's id.
  public var workload: String
  /// The backend's id.
  public var backend: String
  /// The store's durability.
  public var durability: String
  /// The workload's own numbers.
  public var order: [Int]

  /// Makes a request.
  public init(workload: String, backend: String, durability: String, order: [Int]) {
    self.workload = workload
    self.backend = backend
    self.durability = durability
    self.order = order
  }

  /// The arguments of the command that serves it; `=`, since a value may begin with a dash.
  var arguments: [String] {
    [
      "--workload=\(workload)", "--backend=\(backend)", "--durability=\(durability)",
      "--order=\(order.map(String.init).joined(separator: ","))",
    ]
  }
}

/// What a fresh process tells whoever started it.
public struct ColdReply: Hashable, Codable, Sendable {
  /// The moment at which it began to work, on the system's steady clock.
  public var began: UInt64
  /// The workload's finding, as JSON.
  public var finding: Data

  /// Makes a reply.
  public init(began: UInt64, finding: Data) {
    self.began = began
    self.finding = finding
  }
}
