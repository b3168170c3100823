import BenchResults

/// What a worker says of itself before anything is measured: enough to know whether its figures can
/// be had and compared.
public struct WorkerHello: Hashable, Codable, Sendable {
  /// The newest version of the exchange that it understands.
  public var version: Int
  /// The program's name and version; its revision is not known to it.
  public var tool: Tool
  /// The machine as the worker's build sees it: its own compiler, allocator and build mode.
  public var machine: Machine
  /// Ids of the backends that it has.
  public var backends: [String]
  /// Names of the workloads that it has, without settings.
  public var workloads: [String]
  /// The fingerprints of the documents asked for, by name; what it cannot make is absent.
  public var documents: [String: String]

  /// Makes a hello.
  public init(
    version: Int, tool: Tool, machine: Machine, backends: [String], workloads: [String],
    documents: [String: String]
  ) {
    self.version = version
    self.tool = tool
    self.machine = machine
    self.backends = backends
    self.workloads = workloads
    self.documents = documents
  }
}

/// What a parent asks first.
public struct HelloRequest: Hashable, Codable, Sendable {
  /// The version that the parent speaks.
  public var version: Int
  /// The names of documents whose fingerprints it wants.
  public var hello: [String]

  /// Makes a request of the current version.
  public init(documents: [String]) {
    version = BlockRequest.currentVersion
    hello = documents
  }
}
