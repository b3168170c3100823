import Basics
import Testing

/// A test with this trait fails where a storage costs more than a stored baseline, by exact counts alone:
/// allocations, bytes, calls, sizes. No times are taken, and no other revision is built.
///
/// ```swift
/// @Test("Our storage costs no more", .costsNoMore(than: "ours", phase: "decode"))
/// func costs() {}
/// ```
///
/// The baseline is a run of the same executable in the same build mode, kept by
/// `run --save-baseline ours`; it says which backend, menu, workload and durability are meant. The trait
/// has the executable that lies beside the tests measure them again, as `gate --baseline` does.
/// Counting within the test's own process would not be exact: other tests allocate and write in it, its
/// hashing is seeded anew each time, and nothing there counts allocations.
///
/// What cannot be compared fails the test, with the reason and the command to type: no baseline, one of
/// another build mode, menu or method, a count that this machine cannot give.
public struct CostTrait: TestTrait, TestScoping {
  let comparison: CostComparison

  /// Compares, then performs the test.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    if let complaint = await Self.complaint(of: comparison.check) {
      Issue.record(Comment(rawValue: complaint), sourceLocation: test.sourceLocation)
    }
    try await function()
  }

  /// What to tell of a comparison, whatever it throws: the test's body has its own to say. Nil where all is well.
  static func complaint(of check: () async throws -> Void) async -> String? {
    do {
      try await check()
      return nil
    } catch let failure as CostFailure {
      return failure.description
    } catch {
      return "its costs could not be compared: \(systemReason(error))"
    }
  }
}

extension Trait where Self == CostTrait {
  /// Fails the test where a storage costs more than a stored baseline.
  ///
  /// - Parameters:
  ///   - baseline: The baseline's name. It is looked for in `Reports/baselines` of the test's package,
  ///     or of a folder above. A `menubench.json` beside `Reports` says what rows may move by.
  ///   - phase: The one phase to compare, such as `decode`; nil for all.
  ///   - metrics: The ids of the exact metrics to compare, all of which the baseline must hold; nil for
  ///     all that it holds, which must have allocations among them.
  ///   - executable: The name of the executable to measure, which is built with the tests; nil where the
  ///     package has but one.
  ///   - filePath: The test's file, from which the baseline is looked for.
  public static func costsNoMore(
    than baseline: String, phase: String? = nil, metrics: [String]? = nil,
    by executable: String? = nil, filePath: String = #filePath
  ) -> CostTrait {
    CostTrait(
      comparison: CostComparison(
        baseline: baseline, phase: phase, metrics: metrics, executable: executable,
        testFile: filePath))
  }
}

/// Why a storage is not known to cost no more, and what to do.
struct CostFailure: Error, Equatable, CustomStringConvertible {
  var message: String
  var help: String?

  init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }

  var description: String { message + (help.map { "\nhelp: \($0)" } ?? "") }
}
