import Foundation

/// What a fresh process is asked to do, in the folder of the store.
///
/// It travels as arguments: a JSON decoder used for it would be warm when the store wants one.
package struct ColdRequest: Hashable, Sendable {
  /// The workload's id.
  package var workload: String
  /// The backend's id.
  package var backend: String
  /// The store's durability.
  package var durability: String
  /// The workload's own numbers.
  package var order: [Int]
  /// Whether it ends itself by SIGKILL once it has replied, which the workload knows by the order.
  package var dies = false

  package init(
    workload: String, backend: String, durability: String, order: [Int], dies: Bool = false
  ) {
    self.dies = dies
    self.workload = workload
    self.backend = backend
    self.durability = durability
    self.order = order
  }

  /// The arguments of the command that serves it; `=`, since a value may begin with a dash.
  package var arguments: [String] {
    [
      "--workload=\(workload)", "--backend=\(backend)", "--durability=\(durability)",
      "--order=\(order.map(String.init).joined(separator: ","))",
    ]
  }
}

/// What a fresh process tells whoever started it.
package struct ColdReply: Hashable, Codable, Sendable {
  /// The moment at which it began to work, on the system's steady clock.
  package var began: UInt64
  /// The workload's finding, as JSON.
  package var finding: Data

  package init(began: UInt64, finding: Data) {
    self.began = began
    self.finding = finding
  }
}
