import BenchResults

extension Fixture {
  /// Every character that ends, opens or escapes something in one of the formats.
  static let hostileNames = [
    "backend": "a\"b'<c>&amp;\\d]]>",
    "menu":
      "x=1,y:2|`z`\r\nпицца 漢 👨‍👩‍👧\u{1B}[31m\u{FFFF}\u{202E}/%0A\"\u{301} onmouseover=a() b|\u{301}",
    "workload": "w.w\tw{}#", "durability": " d ", "phase": "p/q-8",
  ]

  /// A run in which every name is hostile, those of JSON's decode too.
  static func hostile(blocks: Int = 2) -> RunRecord {
    var record = run(blocks: blocks)
    func renamed(_ cell: Cell) -> Cell {
      Cell(
        backend: cell.backend + (hostileNames["backend"] ?? ""),
        menu: hostileNames["menu"] ?? "", workload: hostileNames["workload"] ?? "",
        durability: hostileNames["durability"] ?? "")
    }
    for index in record.cells.indices {
      record.cells[index].cell = renamed(record.cells[index].cell)
      if record.cells[index].phase == "decode" {
        record.cells[index].phase = hostileNames["phase"] ?? ""
      }
    }
    record.menus[0].name = hostileNames["menu"] ?? ""
    record.failures[0] = Failure(
      cell: renamed(record.failures[0].cell), stage: "de<code>\n", reason: "\"]]>\0&\r\n100 %")
    record.outcomes = []
    record.machine.cpu = "A\"M\\D\n<b>#"
    record.tool.revision = "\u{7}\u{85}\u{2028}x"
    return record
  }

  /// A run whose backends and menus have hostile names.
  static func hostile(_ record: RunRecord) -> RunRecord {
    var record = record
    let (backend, menu) = (hostileNames["backend"] ?? "", hostileNames["menu"] ?? "")
    func rename(_ cell: inout Cell) {
      cell.backend += backend
      cell.menu += menu
    }
    for index in record.cells.indices { rename(&record.cells[index].cell) }
    for index in record.failures.indices { rename(&record.failures[index].cell) }
    for index in record.outcomes.indices { rename(&record.outcomes[index].cell) }
    for index in record.backends.indices { record.backends[index].id += backend }
    for index in record.menus.indices { record.menus[index].name += menu }
    return record
  }
}
