import BenchProbes
import MenuModel
import PersistenceBackends

/// `roundtrip`: encode, write, read and decode a whole document, each phase apart.
public struct RoundTripWorkload<Document: BenchDocument>: Workload {
  /// `roundtrip`.
  public let id = "roundtrip"
  /// What it tells.
  public let summary = "a whole menu out and back: encode, write, read, decode"
  /// The four phases.
  public let phases = [
    Phase("encode", floor: .copy), Phase("write", floor: .write),
    Phase("read", floor: .read), Phase("decode", floor: .copy),
  ]

  /// Makes the workload.
  public init() {}

  /// One round trip; what comes back must have the fingerprint of what went out, for which every
  /// slot option of it is visited.
  public func iterate<B: Backend, Clock: WallClock>(
    _ backend: B, on fixture: Fixture<Document>, by plan: Void, _ care: Care,
    recording recorder: PhaseRecorder<Clock>
  ) throws where B.Document == Document {
    try backend.prepare(fixture.document)
    let written = try recorder.measure(0) { try backend.encode(fixture.document) }
    try recorder.measure(1) { try backend.write(written) }
    try backend.dropCaches()
    let read = try recorder.measure(2) { try backend.read() }
    let decoded = try recorder.measure(3) { try backend.decode(read) }
    try check(decoded, against: fixture, care)
  }

  private func check(
    _ decoded: Document, against fixture: Fixture<Document>, _ care: Care
  ) throws {
    let isSame = decoded.fingerprint == fixture.fingerprint
    guard !isSame || (care == .thorough && decoded != fixture.document) else { return }
    let place = firstDifference(fixture.document, decoded) ?? "the order or form of some part"
    throw WorkloadFailure("what was read back differs from what was written: \(place)")
  }
}
