import BenchAnalysis
import BenchResults
import Foundation
import Testing

@Suite("Attribution of failing rows")
struct AttributionTests {
  @Test(
    "The file names row, change, executables, revisions and gate, the worst row first"
  )
  func gate() throws {
    var gate = Gate(
      [key(): steady(0)],
      others: [exact(10), exact(10, .readCalls), exact(4, .writeCalls), exact(5, .payloadBytes)])
    for index in gate.candidate.cells.indices {
      switch gate.candidate.cells[index].metric.id {
      case "allocations": gate.candidate.cells[index].blocks = [[11]]
      case "read_calls": gate.candidate.cells[index].blocks = [[20]]
      case "write_calls": gate.candidate.cells[index].blocks = []
      default: break
      }
    }
    let all = Attribution.all(gate.report)
    #expect(all.map(\.metric) == ["read_calls", "allocations", "write_calls"])
    #expect(all.map(\.verdict) == ["regressed", "regressed", "missing"])
    #expect(all.map(\.ratio) == [2, 1.1, nil])
    #expect(all.map(\.difference) == [10, 1, nil])
    let first = try #require(all.first)
    #expect(first.cell == cell() && first.phase == "encode" && first.unit == .count)
    #expect(first.candidate.executable == "/new/bench" && first.candidate.revision == "bbb")
    #expect(first.baseline.executable == "/old/bench" && first.baseline.revision == "aaa")
    #expect([first.candidate.pairing, first.baseline.pairing] == ["g1", "g1"])
    #expect(first.candidate.started == "2026-01-01T00:00:00Z")
  }

  @Test("For runs measured separately, the file names the programs' own revisions")
  func stored() throws {
    var now = run([exact(11)])
    now.tool.revision = "ccc"
    let all = Attribution.all(Report(record: now, baseline: run([exact(10)])))
    #expect(all.map(\.candidate.revision) == ["ccc"])
    #expect(all.map(\.candidate.executable) == [nil] && all.map(\.baseline.pairing) == [nil])
    #expect(Attribution.all(Report(record: now)).isEmpty)
  }

  @Test("The file is written with its schema, reads back equal, and is empty if the gate passed")
  func file() throws {
    let failed = GateFile(Report(record: run([exact(11)]), baseline: run([exact(10)])))
    let data = try failed.encoded()
    #expect(try JSONDecoder().decode(GateFile.self, from: data) == failed)
    #expect(failed.outcome == "regressed")
    let passed = GateFile(Report(record: run([exact(10)]), baseline: run([exact(10)])))
    #expect(
      String(decoding: try passed.encoded(), as: UTF8.self) == """
        {
          "failing" : [

          ],
          "outcome" : "passed",
          "schema" : 1
        }

        """)
  }

  @Test("The file has the outcome of a gate that is red without a failing row")
  func redWithoutRows() {
    var now = run([exact(10)])
    now.failures = [Failure(cell: cell("plist"), stage: nil, reason: "it hung")]
    let failed = GateFile(Report(record: now, baseline: run([exact(10)])))
    #expect(failed.outcome == "unmeasured" && failed.failing.isEmpty)
    var other = Report(
      record: run([exact(10)], fingerprint: "00000000000000bb"), baseline: run([exact(10)]))
    #expect(GateFile(other).outcome == "other-menus" && GateFile(other).failing.isEmpty)
    let uneven = Series(cell: cell(), phase: "read", metric: .allocations, blocks: [[1], [2]])
    other = Report(record: run([exact(10), uneven]), baseline: run([exact(10), uneven]))
    #expect(GateFile(other).outcome == "passed")
    other.rule = .comparison(isStrict: true)
    #expect(GateFile(other).outcome == "inconclusive" && GateFile(other).failing.isEmpty)
  }

  @Test("An infinite ratio of times becomes unknown, since JSON has no such number")
  func infinite() throws {
    var huge = Gate([key(): steady(0)])
    huge.candidate.cells[0].blocks = (0..<44).map { [1e300 + Double($0) * 1e290] }
    huge.baseline.cells[0].blocks = Array(repeating: [1e-300], count: 44)
    let report = huge.report
    #expect(report.rows.map(\.verdict) == [.regressed])
    #expect(Attribution.all(report).map(\.ratio) == [nil])
    #expect(throws: Never.self) { try GateFile(report).encoded() }
  }
}
