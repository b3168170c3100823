import BackendKit
import BenchDocuments
import BenchProbes
import BenchResults

/// One block of one cell, measured by a worker on an open store.
struct Block<B: Backend, W: Workload, Clock: WallClock> where B.Document == W.Document {
  typealias Document = B.Document

  let request: BlockRequest
  let workload: W
  /// The workload's plan for the document.
  let plan: W.Plan
  let fixtures: Fixtures<Document>
  let backend: B
  let surroundings: WorkContext<Document>
  let clock: Clock
  /// Tells the parent what happens next. Call it outside of timed parts only.
  let announce: (String) -> Void
  /// Signals to the parent every now and then that the worker is alive.
  let heartbeat: () -> Void
  /// The line to the worker that this one alternates with, or nil if the block runs alone.
  var turns: TurnChannel?
  /// Reasons, by metric id, for metrics that are not measured here even if the machine could.
  var refusals: [String: String] = [:]

  var store: StoreContext { surroundings.store }
  /// The number of iterations after which the work repeats.
  var cycleLength: Int { max(1, workload.cycleLength(on: backend)) }
  /// How many revolutions to count: fewer if the workload is slow and allows fewer samples.
  var countedRevolutions: Int {
    let fewest = min(request.sampling.counted, workload.leastSamples)
    return (fewest + cycleLength - 1) / cycleLength
  }

  /// Iterates until caches are warm and one-time work is done. Compares every result value by value.
  /// Saves the document that the work begins with, unless it `isStored` in a reopened store.
  func warmUp(isStored: Bool = false) throws {
    let site = site(.counting(sampler([]))) { announce("phase \($0.id)") }
    if workload.beginsStored, !isStored {
      announce("storing the menu")
      try backend.save(fixtures.latest.document)
    }
    for _ in 0..<max(request.sampling.warmUps, workload.beginsStored ? cycleLength : 1) {
      try iterate(on: site, isWarmUp: true)
    }
  }

  /// Checks that a reopened store holds what was written before it was closed.
  func checkReopened() throws {
    announce("reading the reopened store")
    guard try backend.whole().fingerprint == fixtures.latest.fingerprint else {
      throw WorkloadFailure("the reopened store does not hold the menu that was written last")
    }
  }

  /// Measures what the request asks for. Call ``warmUp()`` first.
  func measure() throws -> [Series] {
    let payload = try payload()
    let series =
      switch request.kind {
      case .timed: try timed(payload) + (turns == nil ? control() : [])
      case .counted:
        try counters(Probe.counted) + sizes("encode", [(.payloadBytes, payload)]) + touched()
      case .resident: try counters(Probe.resident)
      case .instructions: try counters([[.instructions]])
      case .profiled: try profiled()
      }
    return series.filter(isWanted).map(withRoute)
  }

  private var hasFloors: Bool { request.floors && workload.phases.contains { $0.floor != nil } }

  /// Returns the payload's size. Always encodes before counting, since counts depend on earlier work.
  private func payload() throws -> Size {
    if request.kind == .timed, !hasFloors { return .unsupported("no floor needs it") }
    if let bytes = request.payloadBytes { return .bytes(bytes) }
    // Uses the first revision, because the one stored last depends on what was measured.
    let document = fixtures.both[0].document
    try backend.prepare(document)
    return backend.size(of: try backend.encode(document))
  }

  /// Keeps floors and the control with all times, because times are judged by them.
  private func isWanted(_ series: Series) -> Bool {
    guard let metrics = request.metrics else { return true }
    return metrics.contains(series.metric.id)
      || (request.kind == .timed && !workload.phases.contains { $0.id == series.phase })
  }

  /// Adds to a series how its phase is done, if there is more than one way.
  func withRoute(_ series: Series) -> Series {
    let phase = workload.phases.first { $0.id == series.phase }
    var series = series
    series.route = phase.flatMap { workload.route(of: $0, on: backend)?.rawValue }
    return series
  }

  private func timed(_ payload: Size) throws -> [Series] {
    announce("timing")
    let sampler = sampler(refusals[Metric.cpu.id] == nil ? [CPUTime()] : [])
    let site = site(.timing(sampler, Batches(clock: clock)), injector: try injector())
    let floors = hasFloors ? try floorMeter(payload) : nil
    try sample(site) { try floors?.sample() }
    let phases = workload.phases.enumerated().flatMap { index, phase in
      series(
        phase.id, from: sampler, index: index, floor: floors == nil ? nil : phase.floor?.phase,
        batch: site.batch(of: phase))
    }
    // The mean of fewer than three samples is their median.
    let hasMeans = turns != nil && leastSamples > 2
    let means = phases.filter { hasMeans && $0.metric == .wall }.map { wall in
      Series(
        cell: wall.cell, phase: wall.phase, metric: .meanWall,
        blocks: wall.blocks.map { [$0.reduce(0, +) / Double($0.count)] }, batch: wall.batch)
    }
    return phases + means + skipped(site) + noted(site) { $0.isTime }
      + (floors.map(series(of:)) ?? [])
  }

  private func skipped(_ site: WorkSite<B, Clock>) -> [Series] {
    workload.phases.flatMap { phase in
      site.skipped[phase].map { request.missing([phase], $0) } ?? []
    }
  }

  /// Returns the values that the workload noted itself, one block of values per series.
  func noted(_ site: WorkSite<B, Clock>, _ isOfBlock: (Metric) -> Bool) -> [Series] {
    site.notes.series(of: request.cell, workload.phases, where: isOfBlock)
  }

  /// The fewest samples of a block. A slow workload may allow fewer than the request.
  var leastSamples: Int { min(request.sampling.minimum, workload.leastSamples) }

  /// Takes samples, in turns with the other program's worker if there is one. A turn is one iteration
  /// or several short ones, because the machine differs least between samples close in time.
  ///
  /// - Parameter beside: called after each iteration, so that floors are sampled under the same
  ///   conditions as the work.
  private func sample(_ site: WorkSite<B, Clock>, beside: () throws -> Void) throws {
    if let turns {
      announce("waiting for the other program")
      turns.meet(pins: !workload.runsThreads, heartbeat)
      announce("timing")
    }
    // In turns the time is doubled, because it includes the other program's turns.
    let seconds = request.sampling.seconds * (turns == nil ? 1 : 2)
    let deadline = clock.now() + UInt64(seconds * 1e9)
    var taken = 0
    func isOpen() -> Bool {
      taken < request.sampling.maximum || !taken.isMultiple(of: cycleLength)
    }
    while isOpen() {
      turns?.take(heartbeat)
      // The program that began ends first, so both have equally many turns. The other one ends
      // then, too: without turns in between, samples would find warmer caches.
      let isOver = turns?.isAlone == true || (turns?.begins != false && clock.now() >= deadline)
      if isOver, taken >= leastSamples, taken.isMultiple(of: cycleLength) { break }
      // After a switch of processes the caches are cold, which would dominate shorter turns.
      let end = clock.now() + 5_000_000
      repeat {
        try iterate(on: site)
        try beside()
        taken += 1
      } while turns != nil && isOpen() && clock.now() < end
      turns?.pass()
    }
    turns?.leave()
    turns?.awaitEnd(heartbeat)
  }

  private func counters(_ groups: [[Probe]]) throws -> [Series] {
    announce("counting")
    var series: [Series] = []
    for (number, probes) in groups.enumerated() {
      let (found, isMeasured) = try count(
        probes, notes: number == 0 && request.kind == .counted)
      series += found
      // If the workload only notes values, other instruments have nothing to measure.
      if number == 0, !isMeasured { break }
    }
    return series
  }

  /// - Parameter notes: whether to keep the workload's notes; one group of probes is enough.
  /// - Returns: the counts, and whether any phase was measured.
  private func count(
    _ probes: [Probe], notes: Bool
  ) throws -> (series: [Series], isMeasured: Bool) {
    let wanted = probes.filter { probe in
      let ids = probe.metrics.map(\.id)
      return request.metrics.map { !$0.isDisjoint(with: ids) } ?? true
        && refusals[ids[0]] == nil
    }
    let instruments = Instruments(wanted)
    let sampler = sampler(instruments.available)
    let site = site(.counting(sampler), injector: try injector())
    for _ in 0..<countedRevolutions where notes || !instruments.available.isEmpty {
      try revolve(site, sampler, beforehand: emptyLog)
    }
    let isMeasured =
      instruments.available.isEmpty
      || workload.phases.contains { site.lastWall($0) != nil }
    let series = try workload.phases.enumerated().flatMap { index, phase in
      guard workload.measures(phase, on: backend) else { return [Series]() }
      let reasons = phase.isOfSome ? [:] : instruments.unsupported.merging(refusedCounts) { $1 }
      return try counted(phase.id, sampler.series(phase: index)) + missing(reasons, phase.id)
    }
    let isKept = { (metric: Metric) in !metric.isTime && metric != .usefulBytes }
    return (series + (notes ? noted(site, isKept) : []), isMeasured)
  }

  /// The reasons why counts are not taken. Pages are counted separately, and for some phases only.
  private var refusedCounts: [String: String] {
    refusals.filter { $0.key != Metric.touchedBytes.id }
  }

  /// Copies the store's log, and lets no commit copy it. Otherwise the counts of a write would depend
  /// on how many writes came before.
  private func emptyLog() throws {
    guard let log = backend as? any LogKeeping else { return }
    try log.deferCheckpoints(true)
    try log.checkpoint()
  }

  /// Iterates one cycle and replaces its samples by their mean.
  ///
  /// - Parameter beforehand: called before each iteration.
  func revolve(
    _ site: WorkSite<B, Clock>, _ sampler: Sampler<Clock>, beforehand: () throws -> Void = {}
  ) throws {
    let before = sampler.counts
    for _ in 0..<cycleLength {
      try beforehand()
      try iterate(on: site)
    }
    if cycleLength > 1 { sampler.takeMean(since: before) }
  }

  /// Returns the counts of a phase, one value per cycle.
  func counted(_ phase: String, _ samples: [Samples]) throws -> [Series] {
    let counts = samples.filter {
      !$0.metric.isTime && ($0.values.count + $0.lost > 0 || $0.refusal != nil)
    }
    return try counts.map { samples in
      guard samples.lost == 0 else {
        throw WorkloadFailure("\(samples.lost) readings of \(samples.metric.id) failed in \(phase)")
      }
      return Series(
        cell: request.cell, phase: phase, metric: samples.metric,
        blocks: samples.refusal == nil ? [samples.values] : [], unsupported: samples.refusal)
    }
  }

  /// Returns series without values for counts of a phase that could not be taken, with the reasons.
  func missing(_ reasons: [String: String], _ phase: String) -> [Series] {
    Metric.all.compactMap { metric in
      reasons[metric.id].map {
        Series(cell: request.cell, phase: phase, metric: metric, unsupported: $0)
      }
    }
  }

  /// Measures the total size of the store's files: the largest during use, and the final one after
  /// closing. It saves until several saves in a row add nothing, because a log grows to its limit,
  /// and the space of old revisions is reused.
  ///
  /// This is a separate step, so that the size does not depend on which probes are available. It
  /// closes the store, even if no size is wanted.
  func storedSizes() throws -> [Series] {
    let wanted = request.metrics ?? [Metric.storedBytes.id, Metric.storedPeakBytes.id]
    guard request.kind == .counted, workload.phases.contains(where: { $0.id == "write" }),
      !wanted.isDisjoint(with: [Metric.storedBytes.id, Metric.storedPeakBytes.id])
    else {
      try backend.close()
      return []
    }
    announce("filling the store")
    var (most, unchanged, saves) = (try store.bytes(), 0, 0)
    while unchanged < 4, saves < 200 {
      try backend.save(fixtures.next().document)
      let size = try store.bytes()
      unchanged = size > most ? 0 : unchanged + 1
      (most, saves) = (max(most, size), saves + 1)
      heartbeat()
    }
    try backend.close()
    let found: (Int) -> Size = { [entry = surroundings.entry] bytes in
      guard entry.survivesRestart else {
        return .unsupported("nothing is stored outside the process")
      }
      // A size of 0 would look like the smallest of all.
      return bytes > 0
        ? .bytes(bytes)
        : .unsupported("the store's folder is empty: data elsewhere is not counted")
    }
    return sizes(
      "write",
      [(.storedBytes, found(try store.bytes())), (.storedPeakBytes, found(most))]
    ).filter(isWanted)
  }

  /// Returns sizes as series of the phase that causes them; none if the workload lacks that phase.
  private func sizes(_ phase: String, _ sizes: [(metric: Metric, size: Size)]) -> [Series] {
    guard workload.phases.contains(where: { $0.id == phase }) else { return [] }
    return sizes.map { metric, size in
      switch size {
      case .bytes(let count):
        Series(cell: request.cell, phase: phase, metric: metric, blocks: [[Double(count)]])
      case .unsupported(let reason):
        Series(cell: request.cell, phase: phase, metric: metric, unsupported: reason)
      }
    }
  }

  func injector() throws -> Injector<Clock>? {
    guard let injection = request.injection else { return nil }
    return try Injector(
      injection, backend: request.cell.backend, phases: workload.phases, clock: clock)
  }

  func site(
    _ recorder: Recorder<Clock>, injector: Injector<Clock>? = nil,
    announce: ((Phase) -> Void)? = nil
  ) -> WorkSite<B, Clock> {
    WorkSite(
      backend, fixtures.latest, workload.phases, recorder, for: Purpose(of: request),
      in: surroundings, injector: injector, announce: announce)
  }

  func iterate(on site: WorkSite<B, Clock>, isWarmUp: Bool = false) throws {
    heartbeat()
    site.begin(
      with: workload.beginsStored ? fixtures.latest : fixtures.next(), isWarmUp: isWarmUp)
    try workload.iterate(on: site, by: plan)
  }

  func sampler(_ instruments: [any Instrument], phases: Int? = nil) -> Sampler<Clock> {
    Sampler(
      phases: phases ?? workload.phases.count, instruments: instruments,
      capacity: request.sampling.maximum + 1, clock: clock)
  }

  /// Returns the series of one phase, each with one block of values.
  func series(
    _ phase: String, from sampler: Sampler<Clock>, index: Int, floor: String? = nil,
    batch: Int? = nil
  ) -> [Series] {
    // A phase that only has notes has no samples.
    sampler.series(phase: index).filter { !$0.values.isEmpty }.map { samples in
      Series(
        cell: request.cell, phase: phase, metric: samples.metric, blocks: [samples.values],
        floor: samples.metric == .wall ? floor : nil, batch: batch)
    }
  }
}

extension Purpose {
  /// The purpose of a block. A profile has the purpose of the figures that it explains.
  fileprivate init(of request: BlockRequest) {
    self =
      switch (request.kind, request.profile?.what) {
      case (.timed, _), (_, .cpu): .timing
      case (.instructions, _), (_, .instructions): .tracing
      default: .counting
      }
  }
}
