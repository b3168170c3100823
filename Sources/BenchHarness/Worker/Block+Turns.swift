import BenchProbes
import BenchResults

extension Block {
  /// What a turn takes at least, in nanoseconds: what is shorter than a switch of processes costs
  /// would be measured cold.
  private var turn: UInt64 { 5_000_000 }

  /// Takes the samples in turns with the other program's worker, the control in each of them.
  ///
  /// - Returns: the control's series.
  func inTurns(_ line: TurnLine, _ recorder: PhaseRecorder<Clock>) throws -> [Series] {
    let work = ControlWork()
    let control = sampler([], phases: 1)
    announce("waiting for the other program")
    line.meet(beat)
    announce("timing")
    // The other program's turns pass meanwhile.
    let deadline = clock.now() + UInt64(2 * request.sampling.seconds * 1e9)
    var taken = 0
    while taken < request.sampling.maximum {
      if taken >= leastSamples, clock.now() >= deadline { break }
      line.take(beat)
      // What is measured without the other's turns between is measured warmer.
      if line.isAlone, taken >= leastSamples { break }
      let end = clock.now() + turn
      repeat {
        try iterate(recorder, .usual)
        taken += 1
      } while taken < request.sampling.maximum && clock.now() < end
      // Several: what judges whether the machine moved must not be its noisiest figure.
      for _ in 0..<5 { _ = control.measure(0) { work.run() } }
      line.pass()
    }
    line.leave()
    line.awaitEnd(beat)
    return series("control", from: control, index: 0)
  }
}
