import BenchEngine
import BenchProbes
import MenuModel
import PersistenceBackends

/// `roundtrip`: encode, write, read and decode a whole document, each phase apart.
public struct RoundTripWorkload<Document: BenchDocument>: Workload {
  /// `roundtrip`.
  public let name = "roundtrip"
  /// What it tells.
  public let summary = "a whole menu out and back: encode, write, read, decode"
  /// The four phases.
  public let phases = [
    Phase("encode", floor: .copy, decides: true, as: "save"),
    Phase("write", floor: .write, decides: true, as: "save"),
    Phase("read", floor: .read, decides: true, as: "load"),
    Phase("decode", floor: .copy, decides: true, as: "load"),
  ]

  /// Makes the workload.
  public init() {}

  /// One round trip; what comes back must have the fingerprint of what went out, for which every
  /// slot option of it is visited.
  public func iterate<B: Backend, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Void
  ) throws where B.Document == Document {
    let (backend, document) = (site.backend, site.fixture.document)
    try backend.prepare(document)
    let written = try site.measure(0) { try backend.encode(document) }
    try site.measure(1) { try backend.write(written) }
    try backend.dropCaches()
    let read = try site.measure(2) { try backend.read() }
    let decoded = try site.measure(3) { try backend.decode(read) }
    try site.fixture.check(decoded, site.care, "what was read back")
  }
}
