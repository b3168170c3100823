import BackendKit
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// What no backend can do without: measured beside the cell, over as many bytes as its payload has.
extension Block {
  /// What measures the floors that this backend's payload has; nil where it is not made of bytes, or the
  /// workload has no phase with a floor.
  func floorMeter(_ payload: BackendKit.Size) throws -> ByteFloors<Clock>? {
    guard case .bytes(let count) = payload, workload.phases.contains(where: { $0.floor != nil })
    else { return nil }
    announce("floors")
    let flushes = store.durability >= surroundings.entry.flushedFrom
    let meter = try ByteFloors(
      count: count, beside: store, at: flushes ? max(store.durability, .atomic) : .none,
      sampler: sampler([], phases: 3))
    try meter.sample()
    meter.forget()
    return meter
  }

  func series(of meter: ByteFloors<Clock>) -> [Series] {
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
}

/// Copying as many bytes in memory as a payload has, writing them to a file with as many flushes, and
/// reading them from the page cache.
final class ByteFloors<Clock: WallClock> {
  /// The phases under which its figures stand.
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

  /// Forgets the samples taken, such as those of the warm-up.
  func forget() { sampler.reset() }

  /// The samples of one, in nanoseconds.
  func wall(_ phase: Int) -> [Double] { sampler.series(phase: phase)[0].values }
}
