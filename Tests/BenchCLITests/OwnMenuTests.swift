import BenchResults
import Foundation
import MenuModel
import Subprocess
import Testing

@Suite("Somebody's own menu")
struct OwnMenuTests {
  private static let datasets = Page.root + "/Datasets"

  private func bench(_ line: String, in folder: String) async throws -> Executable.Outcome {
    try await Executable.shell(
      line.replacing("bench ", with: Executable.bench.path + " "), in: folder)
  }

  @Test("A mapped menu goes a round trip through a backend, as its import says")
  func mapped() async throws {
    try await inFolder { folder in
      let imported = try await bench(
        "bench import \(Self.datasets)/cafe.json --mapping \(Self.datasets)/cafe-mapping.json "
          + "--out menu.json", in: folder)
      #expect(imported.status == .exited(0))
      #expect(imported.errors.contains("cafe.json: format mapped\n"))
      #expect(
        imported.errors.contains(
          "note: 3 products have a field title.en that has no place in the menu model\n"))
      #expect(
        imported.errors.contains(
          "menu.json: 3 products, 4 variants, 1 combo, 2 slots, 3 slot options"))
      let run = try await bench(
        "bench run --allow-debug --menu menu.json --blocks 1 --metrics wall --out out", in: folder)
      #expect(run.status == .exited(0), "\(run.errors)")
      let record = try RunFile.read(folder + "/out/run.json")
      #expect(record.failures.isEmpty && record.menus.map(\.name) == ["menu.json"])
    }
  }

  @Test("A menu is read from a pipe and from gzip, whatever it is called, to the same bytes")
  func pipes() async throws {
    try await inFolder { folder in
      let outcome = try await bench(
        "set -e; bench generate --menu small --out a.json; gzip -c a.json > b.gz; cp b.gz c.json; "
          + "bench import - < a.json > 1; cat b.gz | bench import - > 2; bench import c.json > 3; "
          + "cmp a.json 1; cmp a.json 2; cmp a.json 3; "
          + "bench run --allow-debug --menu b.gz --blocks 1 --metrics wall", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(outcome.errors.contains("standard input: format menubench\n"))
    }
  }

  @Test(
    "What cannot be read says what is wrong and what to do",
    arguments: [
      ("bench import - < /dev/null", "standard input: it is empty\n"),
      (
        "echo '{}' | gzip | head -c 12 | bench import -",
        "standard input: it is cut short: its gzip does not come to an end\n"
          + "help: fetch or copy the file again\n"
      ),
      (
        "head -c 100000001 /dev/zero | bench import -",
        "standard input: it has more bytes than the limit of 100000000\n"
          + "help: a store's menu takes about 0.2 MB; import one store's, or generate by shape\n"
      ),
      (
        "head -c 100000001 /dev/zero | gzip -1 | bench import -",
        "standard input: its gzip holds more bytes than the limit of 100000000\n"
          + "help: a store's menu takes about 0.2 MB; import one store's, or generate by shape\n"
      ),
      (
        "bench import /dev/null",
        "menu file \"/dev/null\": it is not a regular file\n"
          + "help: pipe it instead: bench import - < FILE\n"
      ),
      (
        "echo '{\"product\": {}}' > m; echo '{}' | bench import - --mapping m",
        "mapping file \"m\": line 1: unknown key 'product'\n"
          + "help: did you mean 'products'? keys: locale, currency, id, revision, city, categories, "
          + "combos, ingredients, modifierGroups, optionLists, products, stopList, storeOverrides\n"
      ),
      (
        "echo '{}' | bench import - --mapping none",
        "mapping file \"none\": there is no such file\n"
      ),
      (
        "echo '{}' | bench import - --mapping \(Self.datasets)/cafe-mapping.json",
        "standard input: line 4 of the mapping, city: '$.shop.town' finds nothing at $, line 1: "
          + "there is an empty object\n"
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

  @Test("A preset's own shape is its name, and a menu without products has none")
  func ends() async throws {
    try await inFolder { folder in
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
          error: the menu has no products, so there is no shape to take
          help: give a menu with products, or take a preset: see bench list menus

          """))
    }
  }

  @Test("A menu without combos, and one of spreads alone, are measured like any other")
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
