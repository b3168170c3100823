import BenchProbes
import BenchResults
import Foundation

extension Block {
  /// Profiles phases and writes one profile per phase to the file that the request names.
  ///
  /// For sampled profiles, the phases repeat until there are enough samples or the time is up.
  /// Exact profiles cover one cycle.
  func profiled() throws -> [Series] {
    guard let order = request.profile else {
      throw WorkloadFailure("a profiling block needs a kind of profile")
    }
    announce("profiling")
    let profiler = try order.profiler()
    let profiling = PhaseProfiling(profiler, of: workload.phases.map(\.id), asked: order.phase)
    let site = site(.profiling(profiling), injector: try injector())
    // Warms up the unwinder and the code of the phases.
    for _ in 0..<cycleLength { try iterate(on: site) }
    guard profiler.runs > 0 else {
      throw WorkloadFailure(
        "\(workload.id) has nothing to profile: it is measured in separate processes")
    }
    profiler.forget()
    let end = clock.now() + UInt64(order.seconds * 1e9)
    repeat {
      for _ in 0..<cycleLength { try iterate(on: site) }
    } while profiler.samples(of: order.phase).map { $0 < order.samples } ?? false
      && clock.now() < end
    try JSONEncoder().encode(profiler.profiles()).write(to: URL(filePath: order.output))
    return []
  }
}

extension ProfileOrder {
  fileprivate func profiler() throws(Unsupported) -> any Profiler {
    switch what {
    case .cpu: try StackProfiler(.every(nanoseconds: period))
    case .io: try StackProfiler(.call)
    case .allocations: try HeapProfiler(path: output + ".heap")
    case .instructions: try InstructionProfiler()
    }
  }
}
