import BenchResults
import Foundation
import MenuModel
import MenuSources
import Subprocess
import Testing

@Suite("Your own menu")
struct OwnMenuTests {
  private static let datasets = Page.root + "/Datasets"

  private func bench(_ line: String, in folder: String) async throws -> Executable.Outcome {
    try await Executable.shell(
      line.replacing("bench ", with: Executable.bench.path + " "), in: folder)
  }

  @Test("A menu makes a round trip through a backend, and its import says so")
  func imported() async throws {
    try await inFolder { folder in
      let imported = try await bench(
        "sed 's/\"city\":/\"ctiy\":1,&/' \(Self.datasets)/pizzeria.json >odd.json; "
          + "bench import odd.json --out menu.json", in: folder)
      #expect(imported.status == .exited(0))
      #expect(
        imported.errors.hasPrefix(
          "note: 1 key has no place in the menu model: menu.ctiy (did you mean city?)\n"))
      #expect(
        imported.errors.contains(
          "menu.json: 81 products, 129 variants, 8 combos, 31 slots, 560 slot options"))
      let run = try await bench(
        "bench run --allow-debug --menu menu.json --blocks 1 --metrics wall --out out", in: folder)
      #expect(run.status == .exited(0), "\(run.errors)")
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(record.failures.isEmpty && record.menus.map(\.name) == ["menu.json"])
    }
  }

  @Test(
    "An unreadable menu has a reason and a remedy",
    arguments: [
      ("bench import - < /dev/null", "standard input: it is empty\n"),
      (
        "echo '{}' | gzip | bench import -",
        "standard input: it is compressed by gzip\n"
          + "help: unpack it: gunzip -c FILE | bench import -\n"
      ),
      (
        "echo '{\"Products\": {}}' | bench import -",
        "standard input: it is not a menu in our format: its top level has the keys "
          + "\"Products\"\nhelp: convert it with jq, see Documentation/recipes.md, for example: "
          + "jq -f Datasets/recipes/dominos.jq menu.json | bench import -\n"
      ),
      (
        "head -c 100000001 /dev/zero | bench import -",
        "standard input: it has more bytes than the limit of 100000000\n"
          + "help: check that it is the right file: few are a hundredth as large\n"
      ),
      (
        "bench import /dev/null",
        "menu file \"/dev/null\": it is not a regular file\n"
          + "help: copy it to a file first\n"
      ),
    ])
  func refused(line: String, message: String) async throws {
    try await inFolder { folder in
      let outcome = try await bench(line, in: folder)
      #expect(outcome.status == .exited(1))
      #expect(outcome.errors.hasPrefix("error: " + message), "\(outcome.errors)")
      #expect(outcome.output.isEmpty)
    }
  }

  @Test("A pipe of the shell is read, but not by a run, in which many processes read the menu")
  func pipes() async throws {
    try await inFolder { folder in
      let menu = "\(Self.datasets)/pizzeria.json"
      for line in ["cat \(menu) | bench import /dev/stdin", "bench import <(cat \(menu))"] {
        let outcome = try await bench(line + " | cmp - \(menu)", in: folder)
        #expect(outcome.status == .exited(0), "\(outcome.errors)")
      }
      let run = "bench run --allow-debug --menu /dev/stdin"
      let outcome = try await bench("cat \(menu) | \(run)", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(
        outcome.errors == """
          error: every block's process reads the menu, but /dev/stdin can be read only once
          help: save it first: bench import /dev/stdin --out menu.json, then --menu menu.json

          """)
    }
  }

  @Test("The shape of a menu is one line that generates a menu of its counts")
  func shape() async throws {
    try await inFolder { folder in
      let outcome = try await bench("bench shape \(Self.datasets)/pizzeria.json", in: folder)
      #expect(outcome.status == .exited(0))
      #expect(outcome.output.split(separator: "\n").count == 1)
      #expect(outcome.output.hasPrefix("products=81,combos=8,slots="))
      let rows = outcome.errors.split(separator: "\n")
        .map { $0.split(separator: " ").map(String.init) }
      for row in [
        ["this", "menu", "by", "its", "shape"], ["products", "81", "81"],
        ["slot", "options", "560", "560"], ["option", "lists", "7", "7"],
        ["translations", "164", "164"],
      ] {
        #expect(rows.contains(row), "\(outcome.errors)")
      }
      let generated = try await bench(
        "bench generate --out a.json --menu \(outcome.output)", in: folder)
      #expect(
        generated.errors.hasPrefix(
          "a.json: 81 products, 129 variants, 8 combos, 31 slots, 560 slot options"))
      let again = try await bench("bench shape - < a.json", in: folder)
      #expect(again.status == .exited(0))
      #expect(again.output.hasPrefix("products=81,combos=8,slots="))
    }
  }

  @Test("A pipe changes no menu, a preset's shape is its name, and an empty menu has no shape")
  func ends() async throws {
    try await inFolder { folder in
      let piped = try await bench(
        "set -e; bench generate --menu small --out a.json; bench import - < a.json > b.json; "
          + "cmp a.json b.json", in: folder)
      #expect(piped.status == .exited(0), "\(piped.errors)")
      let preset = try await bench(
        "bench generate --menu medium | bench shape -", in: folder)
      #expect(preset.output == "medium\n")
      let empty = Menu(id: 1, revision: 1, locale: "en", currency: "EUR", city: "")
      try MenuFile.encode(empty).write(to: URL(fileURLWithPath: folder + "/empty.json"))
      let none = try await bench("bench shape empty.json", in: folder)
      #expect(none.status == .exited(1))
      #expect(
        none.errors.hasSuffix(
          """
          error: the menu has no products, so it has no shape
          help: give a menu with products, or a preset: see bench list menus

          """))
    }
  }

  @Test("A menu without combos, and one with only spreads, are measured like any other")
  func oddShapes() async throws {
    try await inFolder { folder in
      for shape in [
        "products=9,combos=0,slots=0,options=0",
        "products=9,combos=4,slots=1x0+3x2,options=1x2+1x9",
        "small:variants=2,details=1x0+1x300,bytes=3,stop=0,translations=0",
      ] {
        let outcome = try await bench(
          "bench run --allow-debug --backend json,sqlite --blocks 1 --metrics wall --menu \(shape)",
          in: folder)
        #expect(outcome.status == .exited(0), "\(shape): \(outcome.errors)")
      }
    }
  }
}
