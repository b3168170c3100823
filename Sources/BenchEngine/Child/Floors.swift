import BackendKit
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// What no backend can do without: measured beside the cell, over as many bytes as its payload has.
extension Block {
  /// What measures the floors that this backend's payload has; none where it is not made of bytes and
  /// has no leaner route.
  func floorMeters(_ payload: Size) throws -> [any FloorMeter] {
    announce("floors")
    let native = try nativeFloor()
    let bytes = try byteFloors(payload)
    let meters = [bytes, native].compactMap { $0 }
    for meter in meters {
      try meter.sample()
      meter.forget()
    }
    return meters
  }

  /// The phase that bounds a phase of the workload from below, as far as this backend has one: that of
  /// its own leaner route before that of bare bytes.
  func floor(of phase: Phase, _ meters: [any FloorMeter]) -> String? {
    guard let floor = phase.floor else { return nil }
    let native = surroundings.entry.nativeFloor.map { "floor-\($0.id)-\(floor.rawValue)" }
    let known = meters.flatMap(\.phases)
    return [native, floor.phase].compactMap { $0 }.first(where: known.contains)
  }

  /// What a floor measured.
  func series(of meter: any FloorMeter) -> [Series] {
    meter.phases.indices.map { index in
      Series(
        cell: request.cell, phase: meter.phases[index], metric: .wall, blocks: [meter.wall(index)])
    }
  }

  /// Fixed work that no change of a backend can touch: where it moves between two runs, the machine
  /// did.
  func control() -> [Series] {
    let work = ControlWork()
    let sampler = sampler([], phases: 1)
    for _ in 0..<5 { _ = sampler.measure(0) { work.run() } }
    return series("control", from: sampler, index: 0)
  }

  private func byteFloors(_ payload: Size) throws -> ByteFloors<Clock>? {
    guard case .bytes(let count) = payload, workload.phases.contains(where: { $0.floor != nil })
    else { return nil }
    let flushes = store.durability >= surroundings.entry.flushedFrom
    return try ByteFloors(
      count: count, beside: store, at: flushes ? max(store.durability, .atomic) : .none,
      sampler: sampler([], phases: 3))
  }

  private func nativeFloor() throws -> (any FloorMeter)? {
    guard let native = surroundings.entry.nativeFloor,
      workload.phases.contains(where: { $0.floor == .write })
    else { return nil }
    return try nativeFloor(
      of: try native.open(try surroundings.neighbour("floor-store")), id: native.id)
  }

  private func nativeFloor(of floor: some Backend<Document>, id: String) throws -> any FloorMeter {
    try NativeFloors(
      of: floor, id: id, fixtures, sampler: sampler([], phases: 2))
  }
}

/// Measures what a phase cannot do without, one sample at a time.
protocol FloorMeter: AnyObject {
  /// The phases under which its figures stand.
  var phases: [String] { get }
  /// Takes one sample of each.
  func sample() throws
  /// Forgets the samples taken, such as those of the warm-up.
  func forget()
  /// The samples of one, in nanoseconds.
  func wall(_ phase: Int) -> [Double]
}

/// Copying as many bytes in memory as a payload has, writing them to a file with as many flushes, and
/// reading them from the page cache.
private final class ByteFloors<Clock: WallClock>: FloorMeter {
  let phases = [Phase.Floor.copy, .write, .read].map(\.phase)
  private let source: UnsafeMutableRawBufferPointer
  private let target: UnsafeMutableRawBufferPointer
  private let file: WholeFile
  /// The file's path where it is not kept until another takes its place.
  private let unlinked: String?
  private let sampler: Sampler<Clock>

  init(
    count: Int, beside store: StoreContext, at durability: Durability, sampler: Sampler<Clock>
  ) throws {
    let folder = store.beside("floor")
    try folder.empty()
    source = .allocate(byteCount: count, alignment: 16)
    target = .allocate(byteCount: count, alignment: 16)
    source.initializeMemory(as: UInt8.self, repeating: 0x5a)
    target.initializeMemory(as: UInt8.self, repeating: 0)
    let path = folder.path("bytes")
    file = WholeFile(path: path, durability: durability)
    unlinked = durability == .none ? path : nil
    self.sampler = sampler
  }

  deinit {
    source.deallocate()
    target.deallocate()
  }

  func sample() throws {
    // Each a second time over where it can be: the least possible finds its bytes in the processor's
    // caches, as a phase may that another one prepared them for.
    target.copyMemory(from: UnsafeRawBufferPointer(source))
    sampler.measure(0) { target.copyMemory(from: UnsafeRawBufferPointer(source)) }
    try sampler.measure(1) {
      // A file cut to nothing and written again is the dearer: ext4 hands its bytes to the drive when it
      // is closed (ext4(5), auto_da_alloc).
      if let unlinked { unlink(unlinked) }
      try file.write(UnsafeRawBufferPointer(source))
    }
    try file.read(into: target)
    try sampler.measure(2) { try file.read(into: target) }
  }

  func forget() { sampler.reset() }

  func wall(_ phase: Int) -> [Double] { sampler.series(phase: phase)[0].values }
}

/// Writing and reading the same revisions by a leaner route over a store of its own.
private final class NativeFloors<B: Backend, Clock: WallClock>: FloorMeter {
  let phases: [String]
  private let backend: B
  private let payloads: [B.Payload]
  private let log: (any LogKeeping<B.Document>)?
  private let sampler: Sampler<Clock>
  private var written = 0

  /// - Throws: ``WorkloadFailure`` where the route gives back another document than was written.
  init(
    of backend: B, id: String, _ fixtures: Fixtures<B.Document>, sampler: Sampler<Clock>
  ) throws {
    phases = [Phase.Floor.write, .read].map { "floor-\(id)-\($0.rawValue)" }
    self.backend = backend
    self.sampler = sampler
    payloads = try fixtures.both.map { fixture in
      try backend.prepare(fixture.document)
      return try backend.encode(fixture.document)
    }
    // What is timed of the backend has no checkpoint in it either.
    log = backend as? any LogKeeping<B.Document>
    try log?.deferCheckpoints(true)
    try backend.write(payloads[0])
    guard try backend.whole().fingerprint == fixtures.both[0].fingerprint else {
      throw WorkloadFailure("the native floor gives back another menu than was written")
    }
  }

  deinit { try? backend.close() }

  func sample() throws {
    written += 1
    if let log, let fill = log.logFill, fill >= 1 { try log.checkpoint() }
    try sampler.measure(0) { try backend.write(payloads[written % 2]) }
    try backend.dropCaches()
    _ = try sampler.measure(1) { try backend.read() }
  }

  func forget() { sampler.reset() }

  func wall(_ phase: Int) -> [Double] { sampler.series(phase: phase)[0].values }
}
