import BenchProbes
import BenchResults
import Foundation
import MenuModel
import TestSupport
import Testing

@testable import BenchEngine
@testable import BenchProcesses
@testable import MenuWorkloads

private let canCount =
  Instructions.refusal != nil && CallgrindInstructions.isBuiltIn
  && FileManager.default.isExecutableFile(atPath: "/usr/bin/valgrind")

@Suite("A block that counts instructions")
struct CallgrindBlockTests {
  private static let menu = "products=5,combos=1,slots=2,options=2"

  private func measure(
    _ backend: String, in folder: String, scratch: String?, injection: String? = nil
  ) async throws -> BlockOutcome {
    let store = folder + "/store 100%p"
    try? FileManager.default.removeItem(atPath: store)
    try FileManager.default.createDirectory(atPath: store, withIntermediateDirectories: true)
    let worker = SubprocessWorker(
      executable: Products.bench, arguments: ["worker"], scratch: scratch)
    let menu = try MenuSource().load(Self.menu).document
    return try await worker.measure(
      BlockRequest(
        cell: .of(backend), documentName: Self.menu, fingerprint: menu.fingerprint.description,
        folder: store, kind: .instructions, metrics: ["instructions"], sampling: .instructions,
        injection: try injection.map { try Injection(parsing: $0) }, timeout: 120))
  }

  private func counts(
    _ backend: String, in folder: String, injection: String? = nil
  ) async throws -> [String: Double] {
    let outcome = try await measure(
      backend, in: folder, scratch: folder + "/scratch", injection: injection)
    guard case .measured(let series) = outcome else {
      Issue.record("\(outcome)")
      return [:]
    }
    #expect(series.allSatisfy { $0.metric == .instructions && $0.blocks.map(\.count) == [1] })
    return Dictionary(
      uniqueKeysWithValues: series.compactMap { one in
        one.blocks.first?.first.map { (one.phase, $0) }
      })
  }

  @Test(
    "gives the same figures each time for every phase, within the tolerance of a gate",
    .enabled(if: canCount, "needs valgrind, and a processor without counters"))
  func same() async throws {
    try await inFolder { folder in
      async let one = counts("json", in: folder + "/1")
      async let other = counts("json", in: folder + "/2")
      let (first, second) = try await (one, other)
      #expect(Set(first.keys) == ["encode", "write", "read", "decode", "release"])
      #expect(first.values.allSatisfy { $0 > 1_000 })
      for (phase, count) in first {
        #expect(abs((second[phase] ?? 0) / count - 1) <= 0.001, "\(phase)")
      }
    }
  }

  @Test(
    "counts 100,000 injected instructions within 10 %, in their phase alone",
    .enabled(if: canCount, "needs valgrind, and a processor without counters"))
  func injected() async throws {
    try await inFolder { folder in
      async let one = counts("memory", in: folder + "/1")
      async let other = counts(
        "memory", in: folder + "/2", injection: "memory/decode:instructions=100000")
      let (plain, more) = try await (one, other)
      try #require(plain.count == 5 && more.count == 5)
      for (phase, count) in plain {
        let added = (more[phase] ?? 0) - count
        #expect(phase == "decode" ? abs(added - 100_000) <= 10_000 : abs(added) < 100, "\(phase)")
      }
    }
  }

  @Test(
    "is unsupported, not failed, if there is no way to count",
    .enabled(if: Instructions.refusal != nil, "needs a processor without counters"))
  func unsupported() async throws {
    let refusal = try #require(Instructions.refusal)
    try await inFolder { folder in
      guard case .measured(let series) = try await measure("json", in: folder, scratch: nil) else {
        Issue.record("it failed")
        return
      }
      #expect(series.map(\.phase) == ["open", "encode", "write", "read", "decode", "release"])
      #expect(series.allSatisfy { $0.metric == .instructions && $0.blocks.isEmpty })
      for one in series { #expect(one.unsupported?.hasPrefix(refusal) == true) }
    }
  }
}
