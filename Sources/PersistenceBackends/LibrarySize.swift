/// What a library adds to what an app ships, in bytes, as `scripts/measure-libraries` measured it.
public struct LibrarySize: Hashable, Sendable {
  /// What a stripped release executable grows by, all packages linked into it.
  public let code: Int
  /// The shared objects that the system has, or the app must bring: name and size of the file.
  public let shared: [String: Int]

  /// Describes a size.
  public init(code: Int, shared: [String: Int] = [:]) {
    self.code = code
    self.shared = shared
  }

  /// Both together.
  public var total: Int { shared.values.reduce(code, +) }
}

extension Library {
  /// What it adds; nil where it was not measured.
  public var size: LibrarySize? { id.flatMap { LibrarySize.measured[$0] } }
}
