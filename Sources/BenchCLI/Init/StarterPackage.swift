import Basics
import Foundation

/// The files that `bench init` writes: a package that measures the user's own storage next to ours.
///
/// These texts are the only copy. The documentation shows them (`DocumentationTests`), and
/// `scripts/check-example` writes, builds, runs and tests them.
struct StarterPackage {
  /// The name of the package and of its executable.
  var name: String
  /// The source of MenuBench for the package's manifest.
  var source: Source

  /// A checkout or a repository.
  enum Source: Hashable {
    /// The path of a checkout, relative to the new package or absolute.
    case path(String)
    /// A repository's address.
    case url(String)
  }

  /// All files, each with its path in the package and its text.
  var files: [(path: String, text: String)] {
    [
      ("Package.swift", manifest),
      ("Sources/\(name)/OurBench.swift", Self.program),
      ("Sources/\(name)/OurBackend.swift", Self.backend),
      ("Tests/\(name)Tests/CostTests.swift", tests),
      (".gitignore", Self.ignored),
    ]
  }

  /// The package's dependency on MenuBench, as written in the manifest.
  private var dependency: String {
    switch source {
    case .path(let path): ".package(name: \"MenuBench\", path: \(Self.literal(path)))"
    case .url(let url): ".package(url: \(Self.literal(url)), branch: \"main\")"
    }
  }

  /// The package name for MenuBench's products. SwiftPM names a repository by its address.
  private var identity: String {
    guard case .url(let url) = source else { return "MenuBench" }
    let last = url.split(separator: "/").last.map(String.init) ?? url
    return last.hasSuffix(".git") ? String(last.dropLast(4)) : last
  }

  private static func literal(_ text: String) -> String {
    "\"" + text.replacing(["\\": "\\\\", "\"": "\\\""]) + "\""
  }

  private var manifest: String {
    """
    // swift-tools-version: 6.2
    import PackageDescription

    // Measures our own storage next to all of MenuBench's.
    let package = Package(
      name: "\(name)",
      platforms: [.macOS(.v15)],
      dependencies: [
        \(dependency)
      ],
      targets: [
        .executableTarget(
          name: "\(name)",
          dependencies: [.product(name: "BenchCLI", package: \(Self.literal(identity)))]),
        // It runs the program that it depends on.
        .testTarget(name: "\(name)Tests", dependencies: [.target(name: "\(name)")]),
      ]
    )

    """
  }

  private static let program = """
    import BenchCLI

    /// All of MenuBench's commands for its menus, with our own backend next to all of its backends.
    @main
    enum OurBench: BenchApp {
      static let suite = Suite(
        backends: BackendRegistry.all + [.ours], codecs: BackendRegistry.codecs,
        places: BackendRegistry.places, workloads: WorkloadRegistry.all, source: MenuSource())
    }

    """

  private static let backend = """
    import BenchCLI
    import Foundation

    extension BackendEntry where Document == Menu {
      /// `ours`: what `--backend ours` measures.
      ///
      /// `WholeFile` keeps these `promises` in a crash. Remove `promises` when you replace it.
      static var ours: Self {
        Self(
          id: "ours", summary: "our own storage: JSON with sorted keys, in one file",
          library: .foundation, promises: .durable
        ) { OurBackend($0) }
      }
    }

    /// Stores a menu. Each phase is timed separately: call your storage instead of this code.
    final class OurBackend: Backend {
      private let file: WholeFile
      private let encoder = JSONEncoder()
      private let decoder = JSONDecoder()

      /// Opens the store. It must keep everything in its folder, as safely as its durability says.
      init(_ store: StoreContext) {
        file = WholeFile(path: store.path("menu.json"), durability: store.durability)
        encoder.outputFormatting = .sortedKeys
      }

      /// Returns the menu as bytes, rows or objects, which are then written.
      func encode(_ menu: Menu) throws -> Data { try encoder.encode(menu) }

      func write(_ payload: Data) throws {
        try payload.withUnsafeBytes { try file.write($0) }
      }

      func read() throws -> Data { try file.read() }

      /// Returns the whole menu, equal to the one that was encoded.
      func decode(_ payload: Data) throws -> Menu { try decoder.decode(Menu.self, from: payload) }

      func size(of payload: Data) -> Size { .bytes(payload.count) }
    }

    """

  private var tests: String {
    """
    import Foundation
    import Testing

    /// Compares the counts of our storage with the baseline `ours` of this package. A limit needs no
    /// baseline: write {"limits": {"ours/stored_bytes": "2MB"}} to `menubench.json`.
    @Test("Our storage costs no more than its baseline")
    func costs() throws {
      let bundle = Bundle(for: Here.self).bundleURL
      // On a Mac, tests are a bundle next to the program.
      let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
      let gate = Process()
      gate.executableURL = products.appending(path: "\(name)")
      gate.currentDirectoryURL = URL(filePath: #filePath).appending(path: "../../..").standardized
      gate.arguments = [
        "gate", "--baseline", "ours", "--backend", "ours", "--menu", "small", "--tier", "exact",
        "--no-explain", "--allow-debug", "--out", ".build/costs",
      ]
      try gate.run()
      gate.waitUntilExit()
      #expect(gate.terminationStatus == 0, "the lines above say why")
    }

    private final class Here {}

    """
  }

  private static let ignored = """
    .build/
    Reports/history.sqlite*
    Reports/latest
    Reports/profile/
    Reports/runs/

    """
}
