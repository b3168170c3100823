import Foundation
import Subprocess
import Testing

@Suite("bench init writes a package that measures your own storage")
struct InitTests {
  private static let files = [
    "Package.swift", "Sources/OurBench/OurBench.swift", "Sources/OurBench/OurBackend.swift",
    "Tests/OurBenchTests/CostTests.swift", ".gitignore",
  ]

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  /// Everything below a folder, files and folders.
  private func contents(_ folder: String) -> Set<String> {
    Set((try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? [])
  }

  @Test("It names each file that it wrote, and the next command")
  func words() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("init", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(
        outcome.output.hasPrefix(Self.files.map { "wrote Benchmarks/\($0)\n" }.joined() + "\n"))
      #expect(
        outcome.output.contains(
          "swift run -c release OurBench run --backend ours,json --menu small\n"))
      for file in Self.files {
        #expect(FileManager.default.fileExists(atPath: "\(folder)/Benchmarks/\(file)"))
      }
      #expect(!outcome.output.contains("Your own package"))
      #expect(
        outcome.output.hasSuffix(". For CI and colleagues, give --menubench an address.\n"))
      // Git must ignore builds and measurements, except for baselines, as here.
      let kept = [
        ".build/", "Reports/history.sqlite*", "Reports/latest", "Reports/profile/", "Reports/runs/",
      ]
      let written = try text(folder + "/Benchmarks/.gitignore")
      #expect(written == kept.map { $0 + "\n" }.joined())
      let own = try text(Page.root + "/.gitignore").split(separator: "\n").map(String.init)
      #expect(Set(kept).isSubset(of: own))
    }
  }

  @Test("In the folder of a package it leaves that unchanged, and says how to depend on it")
  func beside() async throws {
    try await inFolder { folder in
      try FileManager.default.createDirectory(
        atPath: folder + "/Shop", withIntermediateDirectories: false)
      try Data("// theirs\n".utf8).write(to: URL(filePath: folder + "/Shop/Package.swift"))
      let outcome = try await Executable.bench("init", in: folder + "/Shop")
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      #expect(try text(folder + "/Shop/Package.swift") == "// theirs\n")
      #expect(outcome.output.contains(#".product(name: "PRODUCT", package: "Shop")"#))
    }
  }

  @Test("You can choose a name, a place, and the source of MenuBench")
  func options() async throws {
    try await inFolder { folder in
      let named = try await Executable.bench(
        "init --path . --name ShopBench --menubench https://example.invalid/menus/menu-bench.git",
        in: folder)
      #expect(named.status == .exited(0), "\(named.errors)")
      #expect(!named.output.contains("MenuBench comes from"))
      let manifest = try text(folder + "/Package.swift")
      #expect(
        manifest.contains(
          #".package(url: "https://example.invalid/menus/menu-bench.git", branch: "main")"#))
      #expect(manifest.contains(#".product(name: "BenchCLI", package: "menu-bench")"#))
      #expect(manifest.contains(#"name: "ShopBenchTests""#))
      #expect(
        try text(folder + "/Tests/ShopBenchTests/CostTests.swift")
          .contains(#"products.appending(path: "ShopBench")"#))

      try FileManager.default.createDirectory(
        atPath: folder + "/checkout", withIntermediateDirectories: false)
      try Data(#"let package = Package(name: "MenuBench")"#.utf8).write(
        to: URL(filePath: folder + "/checkout/Package.swift"))
      let near = try await Executable.bench(
        "init --path deep/bench --menubench checkout", in: folder)
      #expect(near.status == .exited(0), "\(near.errors)")
      #expect(
        try text(folder + "/deep/bench/Package.swift")
          .contains(#".package(name: "MenuBench", path: "../../checkout")"#))
    }
  }

  @Test("It overwrites nothing, not even a broken link", arguments: files)
  func existing(_ file: String) async throws {
    try await inFolder { folder in
      let path = "\(folder)/Benchmarks/\(file)"
      try FileManager.default.createDirectory(
        at: URL(filePath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: path, withDestinationPath: folder + "/nowhere")
      let before = contents(folder)
      let outcome = try await Executable.bench("init", in: folder)
      #expect(outcome.status == .exited(1))
      #expect(
        outcome.errors == """
          error: Benchmarks/\(file) already exists, and nothing is overwritten
          help: choose another folder with --path

          """)
      #expect(outcome.output.isEmpty)
      #expect(contents(folder) == before)
    }
  }

  @Test("If it cannot write, it leaves nothing behind")
  func unwritable() async throws {
    try await inFolder { folder in
      try Data().write(to: URL(filePath: folder + "/file"))
      let refused = try await Executable.bench("init --path file", in: folder)
      #expect(refused.status == .exited(1))
      #expect(refused.errors.hasPrefix("error: file cannot be made: it is not a folder\n"))
      // The last of what it writes into has a file in its place.
      try FileManager.default.createDirectory(
        atPath: folder + "/half", withIntermediateDirectories: false)
      try Data().write(to: URL(filePath: folder + "/half/Tests"))
      let half = try await Executable.bench("init --path half", in: folder)
      #expect(half.status == .exited(1))
      #expect(half.errors.hasPrefix("error: half/Tests cannot be made: it is not a folder\n"))
      #expect(contents(folder) == ["file", "half", "half/Tests"])
      let nowhere = try await Executable.bench("init --path /proc/nowhere", in: folder)
      #expect(nowhere.status == .exited(1))
      #expect(nowhere.errors.hasPrefix("error: /proc/nowhere cannot be made: "))
    }
  }

  @Test(
    "Invalid arguments are refused with the valid ones",
    arguments: [
      (["--name", "our-bench"], "'our-bench' cannot be the name of a Swift module"),
      (["--name", "1bench"], "'1bench' cannot be the name of a Swift module"),
      (["--name", ""], "an empty name"),
      (["--name", "class"], "'class' is taken: it is a keyword of Swift, or a module"),
      (["--name", "BenchCLI"], "'BenchCLI' is taken: it is a keyword of Swift, or a module"),
      (["--path", ""], "--path is empty"),
      (["--menubench", "/nowhere"], "/nowhere is not a checkout of MenuBench"),
    ])
  func refused(_ arguments: [String], _ words: String) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench.run(["init"] + arguments, in: folder)
      #expect(outcome.status == .exited(64))
      #expect(outcome.errors.hasPrefix("error: \(words)"), "\(outcome.errors)")
      #expect(contents(folder).isEmpty)
    }
  }
}
