import BackendKit
import BenchDocuments
import BenchProbes
import BenchResults
import Foundation

/// Floors and the control. Floors are measured with as many bytes as the cell's payload has.
extension Block {
  /// Makes the meter for the floors of a payload. Returns nil if the payload is not bytes.
  func floorMeter(_ payload: BackendKit.Size) throws -> ByteFloors<Clock>? {
    guard case .bytes(let count) = payload else { return nil }
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

  /// Measures fixed work that does not depend on any backend. If it changes between runs, the machine changed.
  func control() -> [Series] {
    let work = ControlWork()
    let sampler = sampler([], phases: 1)
    for _ in 0..<5 { _ = sampler.measure(0) { work.run() } }
    return series("control", from: sampler, index: 0)
  }
}

/// Measures floors for as many bytes as a payload has. It copies them in memory, writes them to a
/// file with as many flushes, and reads them from the page cache.
final class ByteFloors<Clock: WallClock> {
  /// The phases that its figures are stored under.
  let phases = [Phase.Floor.copy, .write, .read].map(\.phase)
  private let source: UnsafeMutableRawBufferPointer
  private let target: UnsafeMutableRawBufferPointer
  private let file: WholeFile
  /// The path of the file if it is removed before each write, or nil if writing replaces it.
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
    // Copying and reading are done twice, and the second time is measured. A floor must find its
    // bytes in the processor's caches, because a phase may find them there too.
    target.copyMemory(from: UnsafeRawBufferPointer(source))
    sampler.measure(0) { target.copyMemory(from: UnsafeRawBufferPointer(source)) }
    try sampler.measure(1) {
      // Removing the file first is cheaper than truncating it: ext4 sends a truncated and rewritten
      // file to the drive when it is closed (ext4(5), auto_da_alloc).
      if let unlinked { unlink(unlinked) }
      try file.write(UnsafeRawBufferPointer(source))
    }
    try file.read(into: target)
    try sampler.measure(2) { try file.read(into: target) }
  }

  /// Discards the samples, for example those of the warm-up.
  func forget() { sampler.reset() }

  /// Returns the samples of one floor in nanoseconds.
  func wall(_ phase: Int) -> [Double] { sampler.series(phase: phase)[0].values }
}
