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
    return try byteFloors(payload) + partFloors() + nativeFloors()
  }

  /// The phase that bounds a phase of the workload from below, as far as this backend has one.
  func floor(of phase: Phase, _ payload: Size) -> String? {
    switch phase.floor {
    case nil, .mappedPart?: return nil
    case .part?: return backend is any MappedBackend ? Phase.Floor.part.phase : nil
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

  /// Taking as many bytes out of a file of nothing else as the phase takes out of the mapped one:
  /// what an app that had them side by side could not do without. Once by reading, once by mapping.
  private func partFloors() throws -> [Series] {
    guard let mapped = backend as? any MappedBackend,
      let phase = workload.phases.firstIndex(where: { $0.floor == .part })
    else { return [] }
    let meter = sampler([MappedBytes(mapped)])
    try iterate(on: site(meter))
    let count = Int(meter.series(phase: phase)[1].values[0])
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { buffer.deallocate() }
    buffer.initializeMemory(as: UInt8.self, repeating: 0x5a)
    let path = store.path("floor-part")
    let file = WholeFile(path: path, durability: store.durability)
    try file.write(UnsafeRawBufferPointer(buffer))
    let expected = UnsafeRawBufferPointer(buffer).sumOfWords
    let sampler = sampler([], phases: 2)
    try sample(sampler) {
      try sampler.measure(0) { try file.read(into: buffer) }
      let (mapping, sum) = try sampler.measure(1) {
        let mapping = try MappedFile(path)
        return (mapping, mapping.bytes.sumOfWords)
      }
      guard withExtendedLifetime(mapping, { sum == expected }) else {
        throw WorkloadFailure("the mapped floor gives back other bytes than were written")
      }
    }
    return [Phase.Floor.part, .mappedPart].enumerated().flatMap { index, floor in
      series(floor.phase, from: sampler, index: index)
    }
  }

  private func byteFloors(_ payload: Size) throws -> [Series] {
    let isBounded = workload.phases.contains { $0.floor.map { $0 != .part } ?? false }
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

extension UnsafeRawBufferPointer {
  /// A look at every whole word.
  fileprivate var sumOfWords: UInt64 {
    var sum: UInt64 = 0
    for offset in stride(from: 0, through: count - 8, by: 8) {
      sum &+= loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    }
    return sum
  }
}

/// Adds what a backend takes out of a mapped file to the bytes read, which system calls alone count.
final class MappedReads: Instrument {
  private let inner: any Instrument
  private let count: () -> Int
  private let column: Int
  private var before = 0
  private var after = 0

  /// Wraps the instrument that counts bytes read; nil where this is not the one.
  private init?(_ inner: any Instrument, count: @escaping () -> Int) {
    guard let column = inner.metrics.firstIndex(of: .readBytes) else { return nil }
    self.inner = inner
    self.count = count
    self.column = column
  }

  /// The instruments, that of file I/O wrapped where the backend reads through a mapping.
  static func watching(
    _ backend: any Backend, with instruments: [any Instrument]
  ) -> [any Instrument] {
    guard let mapped = backend as? any MappedBackend else { return instruments }
    return instruments.map { MappedReads($0) { mapped.mappedBytesRead } ?? $0 }
  }

  var metrics: [Metric] { inner.metrics }

  func begin() {
    before = count()
    inner.begin()
  }

  func end() {
    inner.end()
    after = count()
  }

  func store(into values: UnsafeMutablePointer<Double>) {
    inner.store(into: values)
    values[column] += Double(after - before)
  }
}

/// Counts what a backend takes out of a mapped file, and nothing else.
final class MappedBytes: Instrument {
  private let backend: any MappedBackend
  private var before = 0
  private var after = 0

  init(_ backend: any MappedBackend) { self.backend = backend }

  var metrics: [Metric] { [.readBytes] }

  func begin() { before = backend.mappedBytesRead }

  func end() { after = backend.mappedBytesRead }

  func store(into values: UnsafeMutablePointer<Double>) { values[0] = Double(after - before) }
}
