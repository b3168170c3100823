import BenchAnalysis
import BenchReports
import BenchResults
import Testing

@Suite("CSV")
struct CSVReporterTests {
  @Test("It begins with exactly the header of the design")
  func header() {
    #expect(
      CSVReporter().render(Report(record: Fixture.run())).split(separator: "\n").first
        == """
        backend,menu,workload,durability,phase,metric,unit,samples,min,p50,mean,p90,p99,max,\
        stddev,ci_low,ci_high,floor_ratio,baseline_p50,ratio,ratio_low,ratio_high,verdict
        """)
  }

  @Test("It reads back as every row in order, each number to its last bit")
  func parsesBack() throws {
    let report = Report(record: Fixture.run(slower: 1.25), baseline: Fixture.baseline)
    let lines = try StrictCSV.parse(CSVReporter().render(report))
    let views = ["save", "load"].flatMap { cost in
      ["wall", "cpu", "wall_mean"].map { "\(cost) \($0)" }
    }
    #expect(
      report.costRows.map { "\($0.phase) \($0.metric.id)" }
        == Array(repeating: views, count: 3).flatMap(\.self))
    let rows = report.rows + report.costRows
    #expect(lines.count == rows.count + 1)
    for (fields, row) in zip(lines.dropFirst(), rows) {
      #expect(
        fields[0...6] == [
          row.cell.backend, row.cell.menu, row.cell.workload, row.cell.durability, row.phase,
          row.metric.id, row.metric.unit.rawValue,
        ])
      #expect(
        fields[7...17].map(Double.init) == [
          row.summary.map { Double($0.samples) }, row.summary?.min, row.summary?.p50,
          row.summary?.mean, row.summary?.p90, row.summary?.p99, row.summary?.max,
          row.summary?.standardDeviation, row.summary?.interval?.low, row.summary?.interval?.high,
          row.floorRatio,
        ])
      #expect(
        fields[18...21].map(Double.init) == [
          row.comparison?.baselineP50, row.comparison?.ratio, row.comparison?.interval?.low,
          row.comparison?.interval?.high,
        ])
      #expect(fields[22] == row.verdict?.id ?? "")
    }
  }

  @Test("It leaves an unknown value empty, and never writes 0 for it")
  func unknown() throws {
    let lines = try StrictCSV.parse(CSVReporter().render(Report(record: Fixture.run())))
    let instructions = lines.filter { $0[5] == "instructions" }
    #expect(instructions.count == 12)
    #expect(instructions.allSatisfy { $0[7...] == Array(repeating: "", count: 16)[...] })
  }

  @Test(
    "It quotes delimiters, and escapes spreadsheet formulas and line breaks",
    arguments: [
      ("a,b", "a,b"), ("a\"b", "a\"b"), ("\"", "\""), ("", ""), (" a ", " a "), ("меню", "меню"),
      ("a\nb", "a\\u{a}b"), ("a\r\nb", "a\\u{d}\\u{a}b"), ("\u{1B}[31m", "\\u{1b}[31m"),
      ("\t=1", "\\u{9}=1"), ("a\u{85}", "a\\u{85}"), ("a\\u{a}", "a\\\\u{a}"),
      ("=1+1", "'=1+1"), ("+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"), ("@SUM(A1)", "'@SUM(A1)"),
      ("-nan", "'-nan"), ("'quoted", "''quoted"), ("-2", "-2"), ("1e3", "1e3"),
    ])
  func texts(name: String, field: String) throws {
    var record = Fixture.run()
    for index in record.cells.indices { record.cells[index].cell.menu = name }
    let lines = try StrictCSV.parse(CSVReporter().render(Report(record: record)))
    #expect(lines.count == record.cells.count + 12 + 1)
    #expect(lines.dropFirst().allSatisfy { $0[1] == field })
    #expect(Self.turnedBack(field) == name)
  }

  /// The inverse of the documented escapes of texts.
  private static func turnedBack(_ field: String) -> String {
    (field.hasPrefix("'") ? String(field.dropFirst()) : field)
      .replacing(/\\(?:\\|u\{([0-9a-f]+)\})/) { match in
        match.1.flatMap { UInt32($0, radix: 16) }.flatMap(Unicode.Scalar.init).map { "\($0)" }
          ?? "\\"
      }
  }
}

/// A parser of RFC 4180 that is as strict as the standard, except for its CR before LF.
private enum StrictCSV {
  struct Malformed: Error {
    var offset: Int
  }

  static func parse(_ text: String) throws -> [[String]] {
    let scalars = Array(text.unicodeScalars)
    var (lines, line, offset) = ([[String]](), [String](), 0)
    while offset < scalars.count {
      line.append(try field(scalars, &offset))
      guard offset < scalars.count else { throw Malformed(offset: offset) }
      if scalars[offset] == "\n" {
        lines.append(line)
        line = []
      } else if scalars[offset] != "," {
        throw Malformed(offset: offset)
      }
      offset += 1
    }
    guard line.isEmpty, Set(lines.map(\.count)) == [23] else { throw Malformed(offset: offset) }
    return lines
  }

  private static func field(_ scalars: [Unicode.Scalar], _ offset: inout Int) throws -> String {
    var field = String.UnicodeScalarView()
    guard offset < scalars.count, scalars[offset] == "\"" else {
      while offset < scalars.count, scalars[offset] != ",", scalars[offset] != "\n" {
        guard scalars[offset] != "\"", scalars[offset] != "\r" else {
          throw Malformed(offset: offset)
        }
        field.append(scalars[offset])
        offset += 1
      }
      return String(field)
    }
    offset += 1
    while offset < scalars.count {
      if scalars[offset] == "\"" {
        offset += 1
        guard offset < scalars.count, scalars[offset] == "\"" else { return String(field) }
      }
      field.append(scalars[offset])
      offset += 1
    }
    throw Malformed(offset: offset)
  }
}
