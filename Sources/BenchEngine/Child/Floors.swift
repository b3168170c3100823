import BackendKit
import BenchProbes
import BenchResults
import Foundation
import MenuModel

/// What no backend can do without: measured beside the cell, over as many bytes as its payload has.
extension Block {
  /// The floors that this backend's payload has; none where it is not made of bytes.
  func floors(_ payload: Size) throws -> [Series] {
    announce("floors")
    return try byteFloors(payload) + nativeFloors()
  }

  /// The phase that bounds a phase of the workload from below, as far as this backend has one.
  func floor(of phase: Phase, _ payload: Size) -> String? {
    switch phase.floor {
    case nil: return nil
    case .write?, .read?:
      if let native = surroundings.entry.nativeFloor {
        return "floor-\(native.id)-\(phase.floor?.rawValue ?? "")"
      }
    case .copy?: break
    }
    guard case .bytes = payload else { return nil }
    return phase.floor?.phase
  }

  /// Fixed work that no change of a backend can touch: where it moves between two runs, the machine
  /// did.
  func control() -> [Series] {
    let work = ControlWork()
    let sampler = sampler([], phases: 1)
    for _ in 0..<5 { _ = sampler.measure(0) { work.run() } }
    return series("control", from: sampler, index: 0)
  }

  private func byteFloors(_ payload: Size) throws -> [Series] {
    let isBounded = workload.phases.contains { $0.floor != nil }
    guard case .bytes(let count) = payload, isBounded else { return [] }
    let source = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    let target = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer {
      source.deallocate()
      target.deallocate()
    }
    source.initializeMemory(as: UInt8.self, repeating: 0x5a)
    target.initializeMemory(as: UInt8.self, repeating: 0)
    let file = WholeFile(path: store.path("floor"), durability: store.durability)
    let sampler = sampler([], phases: 3)
    try sample(sampler) {
      sampler.measure(0) { target.copyMemory(from: UnsafeRawBufferPointer(source)) }
      try sampler.measure(1) { try file.write(UnsafeRawBufferPointer(source)) }
      try sampler.measure(2) { try file.read(into: target) }
    }
    return [Phase.Floor.copy, .write, .read].enumerated().flatMap { index, floor in
      series(floor.phase, from: sampler, index: index)
    }
  }

  private func nativeFloors() throws -> [Series] {
    guard let native = surroundings.entry.nativeFloor,
      workload.phases.contains(where: { $0.floor == .write })
    else { return [] }
    let folder = store.path("floor-store")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let floor = try native.open(StoreContext(folder: folder, durability: store.durability))
    return try nativeFloors(of: floor, id: native.id)
  }

  private func nativeFloors(of floor: some Backend<Document>, id: String) throws -> [Series] {
    defer { try? floor.close() }
    let payloads = try fixtures.both.map { fixture in
      try floor.prepare(fixture.document)
      return try floor.encode(fixture.document)
    }
    try floor.write(payloads[0])
    guard try floor.whole().fingerprint == fixtures.both[0].fingerprint else {
      throw WorkloadFailure("the native floor gives back another menu than was written")
    }
    let sampler = sampler([], phases: 2)
    var written = 0
    try sample(sampler) {
      written += 1
      try sampler.measure(0) { try floor.write(payloads[written % 2]) }
      try floor.dropCaches()
      _ = try sampler.measure(1) { try floor.read() }
    }
    return series("floor-\(id)-write", from: sampler, index: 0)
      + series("floor-\(id)-read", from: sampler, index: 1)
  }

  private func sample(_ sampler: Sampler<Clock>, _ once: () throws -> Void) throws {
    for _ in 0..<max(request.sampling.warmUps, 1) { try once() }
    sampler.reset()
    let deadline = clock.now() + UInt64(request.sampling.seconds * 0.2e9)
    for taken in 0..<request.sampling.maximum {
      if taken >= request.sampling.minimum, clock.now() >= deadline { break }
      beat()
      try once()
    }
  }
}
