import BenchAnalysis
import BenchResults

/// What baselines are, in lines of a label and a text.
enum BaselineWording {
  typealias Line = (label: String, text: String)

  /// What stands in a list of them.
  static func summary(_ record: RunRecord, on here: ThisMachine) -> [Line] {
    var seen: Set<Cell> = []
    let cells = record.judged.map(\.cell).filter { seen.insert($0).inserted }
    return [
      ("measured", "\(record.settings.started), revision \(record.tool.revision ?? "unknown")"),
      (
        Wording.plural(cells.count, "cell"),
        cells.isEmpty ? "nothing measured" : Wording.list(cells.map(\.description), most: 8)
      ),
      ("menus", menus(record)),
    ] + worth(record, on: here)
  }

  /// What makes its figures comparable with others.
  static func key(_ record: RunRecord, on here: ThisMachine) -> [Line] {
    let machine = record.machine
    let cores = machine.cores.map { Wording.plural($0, "core") }
    return [
      ("measured", "\(record.settings.started), revision \(record.tool.revision ?? "unknown")"),
      ("cpu", [machine.cpu ?? "unknown", cores ?? "cores unknown"].joined(separator: ", ")),
      ("features", machine.cpuFlags.map { Wording.plural($0.count, "flag") } ?? "unknown"),
      (
        "system",
        "\(machine.system ?? "unknown"), \(record.settings.fileSystem ?? "unknown file system")"
      ),
      ("toolchain", "Swift \(machine.swift ?? "unknown"), \(machine.build) build"),
      ("allocator", machine.allocator ?? "unknown"), ("sqlite", machine.sqlite ?? "unknown"),
      ("counter", machine.instructionCounter ?? "none"), ("menus", menus(record)),
    ] + worth(record, on: here)
  }

  /// Lines with their texts below each other.
  static func text(_ lines: [Line], indent: String = "") -> String {
    let width = lines.map(\.label.count).max() ?? 0
    return lines.map { line in
      let space = String(repeating: " ", count: width - line.label.count)
      return Console.printable("\(indent)\(line.label)\(space)  \(line.text)") + "\n"
    }.joined()
  }

  private static func menus(_ record: RunRecord) -> String {
    record.menus.isEmpty
      ? "unknown"
      : Wording.list(record.menus.map { "\($0.name) (\($0.fingerprint))" }, most: 8)
  }

  /// What of it can be compared on this machine.
  private static func worth(_ record: RunRecord, on here: ThisMachine) -> [Line] {
    let found = here.comparability(with: record)
    let differences = found.machineDifferences.joined(separator: "; ")
    let times =
      found.comparesTimes
      ? "comparable here" : "not comparable here, exact metrics are: \(differences)"
    let shifts = found.allocationDifferences.joined(separator: "; ")
    return [("times", times)]
      + (shifts.isEmpty
        ? [] : [("counts", "allocations may differ for no other reason: \(shifts)")])
  }
}
