import BenchResults

extension Profile {
  /// Builds a profile of one phase from the workers' raw profiles, one per block, with function names.
  ///
  /// - Parameter readable: where to read the measured executable, if not at the path that the
  ///   worker ran.
  package init(_ raws: [RawProfile], cell: Cell, phase: String, readable: String? = nil) {
    var (frames, places): ([Frame], [Frame: Int]) = ([], [:])
    var values: [[Int]: [[Double]]] = [:]
    var facts = Facts()
    func place(of frame: Frame) -> Int {
      if let known = places[frame] { return known }
      places[frame] = frames.count
      frames.append(frame)
      return frames.count - 1
    }
    let measures = raws.first?.measures ?? []
    for (block, raw) in raws.enumerated() {
      let map = AddressMap(maps: raw.maps, executable: raw.executable, readable: readable)
      facts.add(raw.facts)
      for stack in raw.stacks {
        var path = stack.addresses.reversed().map { place(of: map.frame(at: $0)) }
        if let root = raw.root {
          if let start = path.lastIndex(where: { frames[$0].name.contains(root) }) {
            path.removeFirst(start + 1)
          } else {
            // A stack may stand for several samples.
            let samples = raw.measures.first?.sample.flatMap { sample in
              Int(exactly: ((stack.values.first ?? 0) / sample).rounded())
            }
            facts.lost += samples ?? 1
          }
        }
        if raw.what == .allocations {
          while let last = path.last, frames[last].isAllocator { path.removeLast() }
        }
        if let kernel = stack.kernel {
          path.append(place(of: Frame(name: kernel, module: "kernel", owner: .kernel)))
        }
        let none = [[Double]](
          repeating: [Double](repeating: 0, count: measures.count), count: raws.count)
        values[path, default: none][block] = zip(
          values[path, default: none][block], stack.values
        ).map(+)
      }
    }
    if !ELFSymbols.canBeRead {
      facts.notes.append("functions have no names here: install binutils for its readelf")
    }
    self.init(
      what: raws.first?.what ?? .cpu, cell: cell, phase: phase, measures: measures, frames: frames,
      stacks: values.map { Stack(frames: $0.key, values: $0.value) }
        .sorted { $0.frames.lexicographicallyPrecedes($1.frames) },
      facts: facts)
  }
}

extension Profile.Facts {
  package mutating func add(_ other: Self) {
    blocks += other.blocks
    runs += other.runs
    runsOfBlocks = (runsOfBlocks ?? []) + (other.runsOfBlocks ?? [other.runs])
    wall += other.wall
    otherThreads += other.otherThreads
    cut += other.cut
    lost += other.lost
    dropped += other.dropped
    taken += other.taken
    for note in other.notes where !notes.contains(note) { notes.append(note) }
  }
}

extension Profile.Frame {
  /// Whether it only forwards a request for memory. Its caller is the one that asks for it.
  fileprivate var isAllocator: Bool {
    module.hasPrefix("libjemalloc") || Self.allocators.contains(name)
  }

  // The functions that request memory in the runtimes and in SQLite.
  private static let allocators: Set = [
    "malloc", "calloc", "realloc", "operator new",
    "swift_slowAlloc", "swift_slowAllocTyped", "swift::swift_slowAllocTyped", "swift_allocObject",
    "_swift_allocObject_",
    "sqlite3MemMalloc", "sqlite3MemRealloc", "sqlite3Malloc", "sqlite3Realloc", "sqlite3_malloc64",
    "sqlite3DbMallocRaw", "sqlite3DbMallocRawNN", "sqlite3DbMallocZero", "dbMallocRawFinish",
    "sqlite3DbRealloc", "dbReallocFinish", "sqlite3MallocZero", "pcache1Alloc",
  ]
}
