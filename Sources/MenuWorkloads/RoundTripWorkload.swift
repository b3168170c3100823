import BackendKit
import BenchEngine
import BenchProbes
import MenuModel

/// `roundtrip`: encode, write, read and decode a whole document, each phase apart.
public struct RoundTripWorkload<Document: BenchDocument>: Workload {
  /// `roundtrip`.
  public let name = "roundtrip"
  /// What it tells.
  public let summary = "a whole menu out and back: encode, write, read, decode"
  /// Saving in two phases, then loading in two.
  public let phases: [Phase] = [.encode, .write, .read, .decode]

  /// It has no settings.
  public init() {}

  /// One round trip; what comes back must have the fingerprint of what went out, for which every
  /// slot option of it is visited.
  public func iterate<B: Backend<Document>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws {
    let (backend, document) = (site.backend, site.fixture.document)
    try backend.prepare(document)
    let written = try site.measure(.encode) { try backend.encode(document) }
    try site.measure(.write) { try backend.write(written) }
    try backend.dropCaches()
    let read = try site.measure(.read) { try backend.read() }
    let decoded = try site.measure(.decode) { try backend.decode(read) }
    try site.fixture.check(decoded, byValue: site.isWarmUp, "what was read back")
  }
}

extension Phase {
  fileprivate static let encode = Phase("encode", floor: .copy, decides: true, as: "save")
  fileprivate static let write = Phase("write", floor: .write, decides: true, as: "save")
  fileprivate static let read = Phase("read", floor: .read, decides: true, as: "load")
  fileprivate static let decode = Phase("decode", floor: .copy, decides: true, as: "load")
}
