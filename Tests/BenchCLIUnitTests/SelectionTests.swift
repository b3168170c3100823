import ArgumentParser
import BenchAnalysis
import BenchResults
import Testing

@testable import BenchCLI

@Suite("The cells that a comparison with a stored run includes")
struct SelectionTests {
  private static let gone = cell("bygone", menu: "small")
  private static let work = Cell(
    backend: "json", menu: "small", workload: "bygone:size=1", durability: "durable")
  private static let stored = run(
    [
      cell(menu: "small"), gone, work, cell("bygone", menu: "large"),
      cell("plist", menu: "small"),
    ].map { count(1, in: $0) })

  private static func cells(backend: String, workload: String) throws -> Set<Cell> {
    try cells(of: stored, backend, workload)
  }

  private static func cells(
    of stored: RunRecord, _ backend: String, _ workload: String
  ) throws -> Set<Cell> {
    let typed = ["--backend", backend, "--menu", "small", "--workload", workload]
    let chosen = try Selection.parse(typed).resolve(in: suite)
    return stored.cells(besideRunOf: chosen.cells.map(\.cell), takingAll: chosen.takesAll ?? [])
  }

  @Test("are those of one backend and workload, if these are given")
  func one() throws {
    let cells = try Self.cells(backend: "json", workload: "roundtrip")
    #expect(cells == [cell(menu: "small")])
  }

  @Test("include those that are gone by now, with the given menus, if you choose all")
  func all() throws {
    let backends = try Self.cells(backend: "all", workload: "roundtrip")
    #expect(backends.isSuperset(of: [Self.gone, cell("plist", menu: "small")]))
    #expect(!backends.contains(Self.work) && !backends.contains(cell("bygone", menu: "large")))
    let workloads = try Self.cells(backend: "json", workload: "all")
    #expect(workloads.contains(Self.work) && !workloads.contains(Self.gone))
    // Typed settings are not a workload that is gone, but they are if all are chosen.
    let variant = Cell(
      backend: "json", menu: "small", workload: "upgrade:change=bygone", durability: "atomic")
    var old = run([count(1, in: variant)])
    #expect(try !Self.cells(of: old, "json", "all").contains(variant))
    old.settings.takesAll = [.workloads]
    #expect(try Self.cells(of: old, "json", "all").contains(variant))
    let pair = run([count(1, in: cell("bygone@file", menu: "small"))])
    #expect(try !Self.cells(of: pair, "all", "roundtrip").contains { $0.backend == "bygone@file" })
  }
}
