// swift-tools-version: 6.2
import PackageDescription

/// `scripts/check` turns warnings into errors. Nobody else does: a newer compiler's new warning must
/// not break the build of somebody who only wants figures.
let isStrict = Context.environment["MENUBENCH_STRICT"] != nil

/// `scripts/docs` builds the documentation with a plugin that nobody else needs to fetch.
let documentation: [Package.Dependency] =
  Context.environment["MENUBENCH_DOCS"] != nil
  ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []

/// `scripts/sanitize` builds what has raw memory, C or threads in it, and no more: `address` or `thread`.
let sanitizer = Context.environment["MENUBENCH_SANITIZE"]

/// `scripts/test` builds everything as it is released, so that tests take a fraction of the time of an
/// unoptimised build, and the checks after them need no build of their own.
let isTested = Context.environment["MENUBENCH_TESTS"] != nil

/// This checkout's scripts compile what is never timed without optimisation, which takes most of its time.
/// Not in a package that depends on this one: SwiftPM refuses unsafe flags there.
let isOurs = Context.environment["MENUBENCH_SCRIPTS"] != nil

let settings: [SwiftSetting] =
  [.enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility")]
  + (isStrict ? [.treatAllWarnings(as: .error)] : [])
  + (isTested ? [.unsafeFlags(["-enable-testing"])] : [])

/// Of targets in which nothing is timed.
let untimed = settings + (isOurs ? [.unsafeFlags(["-Onone"])] : [])

/// Of tests: compiled file by file, so that a changed line costs seconds.
let tested =
  untimed
  + (isTested
    ? [
      .unsafeFlags(["-no-whole-module-optimization", "-enable-batch-mode", "-incremental"])
    ] : [])

let argumentParser: Target.Dependency = .product(
  name: "ArgumentParser", package: "swift-argument-parser")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let protobuf: Target.Dependency = .product(name: "SwiftProtobuf", package: "swift-protobuf")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
// Apple's systems have it as System.
let system: Target.Dependency = .product(
  name: "SystemPackage", package: "swift-system", condition: .when(platforms: [.linux]))
let subprocess: Target.Dependency = .product(name: "Subprocess", package: "swift-subprocess")

let package = Package(
  name: "MenuBench",
  // What Synchronization's Mutex needs, and where MenuBenchKit runs.
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .executable(name: "bench", targets: ["bench"]),
    // What another package needs to measure its own backend or document with our commands.
    .library(
      name: "BenchCLI",
      targets: [
        "BenchCLI", "BenchEngine", "MenuWorkloads", "RevisionBuild", "PersistenceBackends",
        "MenuModel", "BenchDocuments", "BenchProbes",
      ]),
    // The same workloads in one process, in an app or its tests; then the storages on SQLite for it.
    .library(name: "MenuBenchKit", targets: ["MenuBenchKit"]),
    .library(name: "MenuBenchSQLite", targets: ["MenuBenchSQLite"]),
    // Preloaded by tests; nobody else builds it.
    .library(name: "FaultyCalls", type: .dynamic, targets: ["FaultyCalls"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    .package(url: "https://github.com/apple/swift-protobuf", from: "1.39.0", traits: []),
    .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
  ] + documentation,
  targets: [
    // From the top of the house down: every arrow points to a target further below.
    .executableTarget(
      name: "bench",
      dependencies: [
        "BenchCLI", "BenchEngine", "MenuWorkloads", "RevisionBuild", "PersistenceBackends",
        "MenuModel",
      ],
      swiftSettings: untimed),
    .target(
      name: "BenchCLI",
      dependencies: [
        "BenchReports", "RunHistory", "BenchAnalysis", "BenchProcesses", "BenchEngine",
        "MenuWorkloads", "RevisionBuild", "PersistenceBackends", "MenuSources", "MenuModel",
        "BenchDocuments", "BenchProbes", "BenchProfiles", "BenchResults", "Basics", argumentParser,
      ], swiftSettings: untimed),
    .target(
      name: "MenuBenchSQLite", dependencies: ["MenuBenchKit", "SQLBackends"],
      swiftSettings: settings),
    .target(
      name: "MenuBenchKit",
      dependencies: [
        "MenuWorkloads", "BenchEngine", "BackendKit", "MenuSources", "MenuModel", "BenchProbes",
        "BenchResults", "Basics",
      ], swiftSettings: settings),
    .target(
      name: "BenchReports", dependencies: ["BenchAnalysis", "BenchResults", "Basics"],
      resources: [
        .embedInCode("Charts/chart.css"), .embedInCode("HTML/page.css"),
        .embedInCode("HTML/page.js"), .embedInCode("Profile/flame.css"),
        .embedInCode("Profile/flame.js"),
      ],
      swiftSettings: untimed),
    .target(
      name: "RunHistory",
      dependencies: ["BenchAnalysis", "BenchDocuments", "BenchResults", "Basics", grdb],
      swiftSettings: untimed),
    .target(
      name: "BenchAnalysis",
      dependencies: ["BenchStatistics", "BenchResults", "Basics"],
      swiftSettings: untimed),
    // The arithmetic of BenchAnalysis: thousands of resamples, so it is always optimised.
    .target(name: "BenchStatistics", dependencies: ["Basics"], swiftSettings: settings),
    .target(
      name: "MenuWorkloads",
      dependencies: [
        "BenchEngine", "BackendKit", "MenuSources", "MenuModel", "BenchDocuments", "BenchProbes",
        "BenchResults", "Basics",
      ], swiftSettings: settings),
    .target(
      name: "RevisionBuild", dependencies: ["BenchDocuments", "Basics", subprocess, system],
      swiftSettings: untimed),
    .target(
      name: "BenchProcesses",
      dependencies: [
        "BenchEngine", "BenchProfiles", "BenchProbes", "BenchResults", "Basics", subprocess, system,
      ], swiftSettings: settings),
    .target(
      name: "BenchEngine",
      dependencies: ["BackendKit", "BenchDocuments", "BenchProbes", "BenchResults", "Basics"],
      swiftSettings: settings),
    // Those that need a library of their own are targets of their own, which build side by side and
    // leave the others alone when one changes.
    .target(
      name: "PersistenceBackends",
      dependencies: [
        "SQLBackends", "LMDBBackends", "ProtobufBackends", "SimdjsonBackends", "ZstdBackends",
        "BackendKit", "MenuModel",
      ], swiftSettings: settings),
    .target(
      name: "SQLBackends", dependencies: ["BackendKit", "MenuModel", "Basics", grdb, sqlite],
      swiftSettings: settings),
    .target(
      name: "LMDBBackends",
      dependencies: ["ProtobufBackends", "BackendKit", "MenuModel", "Basics", "CLMDB"],
      swiftSettings: settings),
    .target(
      name: "ProtobufBackends", dependencies: ["BackendKit", "MenuModel", protobuf],
      exclude: ["menu.proto"], swiftSettings: settings),
    .target(
      name: "SimdjsonBackends",
      dependencies: ["BackendKit", "MenuModel", "CSimdjson"],
      swiftSettings: settings),
    .target(
      name: "ZstdBackends", dependencies: ["BackendKit", "BenchDocuments", "CZstd"],
      swiftSettings: settings),
    .target(
      name: "BackendKit", dependencies: ["MenuModel", "BenchDocuments", "Basics"],
      swiftSettings: settings),
    // Where menus come from, apart from the menu: no storage is built again when it changes.
    .target(
      name: "MenuSources", dependencies: ["MenuModel", "BenchDocuments", "Basics"],
      swiftSettings: settings),
    .target(
      name: "MenuModel", dependencies: ["BenchDocuments", "Basics"], swiftSettings: settings),
    .target(name: "BenchDocuments", dependencies: ["Basics"], swiftSettings: settings),
    .target(
      name: "BenchProfiles", dependencies: ["BenchResults", "Basics"], swiftSettings: settings),
    .target(
      name: "BenchProbes",
      dependencies: ["BenchResults", "Basics", "CCallgrind", "CProfiler"],
      swiftSettings: settings),
    .target(name: "CProfiler"),
    .target(name: "BenchResults", dependencies: ["Basics"], swiftSettings: settings),
    .target(name: "Basics", swiftSettings: settings),
    // C++ behind a header of C, so that no Swift is compiled as C++.
    .target(name: "CSimdjson", linkerSettings: [.linkedLibrary("simdjson")]),
    .systemLibrary(name: "CLMDB", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
    .systemLibrary(name: "CZstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
    // A build without valgrind's header says so.
    .systemLibrary(name: "CCallgrind", providers: [.apt(["valgrind"])]),

    .testTarget(
      name: "BenchProbesTests",
      dependencies: ["BenchProbes", "BenchResults", "Basics", "CProfiler"],
      swiftSettings: tested),
    .testTarget(
      name: "MenuModelTests",
      dependencies: ["MenuSources", "MenuModel", "BenchDocuments", "Basics"],
      swiftSettings: tested),
    .testTarget(
      name: "MenuSourcesTests", dependencies: ["MenuSources", "MenuModel", "Basics"],
      swiftSettings: tested),
    .testTarget(
      name: "PersistenceBackendsTests",
      dependencies: [
        "PersistenceBackends", "SQLBackends", "LMDBBackends", "ProtobufBackends",
        "SimdjsonBackends", "ZstdBackends", "BackendKit", "MenuSources", "MenuModel", "Basics",
        "CLMDB", "CZstd", grdb, sqlite,
      ],
      swiftSettings: tested),
    .executableTarget(
      name: "FaultyBench",
      dependencies: [
        "BenchCLI", "BenchEngine", "MenuWorkloads", "RevisionBuild", "PersistenceBackends",
        "MenuSources", "MenuModel", "BenchDocuments", "Basics", argumentParser,
      ],
      path: "Tests/FaultyBench", swiftSettings: untimed),
    .target(name: "FaultyCalls", path: "Tests/FaultyCalls"),
    .executableTarget(
      name: "References",
      dependencies: [
        "PersistenceBackends", "SQLBackends", "LMDBBackends", "ProtobufBackends", "MenuSources",
        "MenuModel", "BenchAnalysis", "BenchResults", "CLMDB", protobuf, grdb, sqlite,
      ],
      path: "Tests/References", swiftSettings: settings),
    .testTarget(
      name: "BenchCLITests",
      dependencies: [
        "bench", "FaultyBench", "References", "MenuBenchKit", "PersistenceBackends", "MenuSources",
        "MenuModel", "BenchAnalysis", "BenchResults", subprocess, system,
      ],
      swiftSettings: tested),
    .testTarget(
      name: "BenchCLIUnitTests",
      dependencies: [
        "BenchCLI", "BenchReports", "RunHistory", "BenchAnalysis", "BenchEngine",
        "MenuWorkloads", "RevisionBuild", "PersistenceBackends", "MenuSources", "MenuModel",
        "BenchProbes", "BenchResults", "Basics", argumentParser,
      ],
      swiftSettings: tested),
    // Fixtures that several test targets share, compiled once.
    .target(
      name: "TestSupport",
      dependencies: [
        "BenchEngine", "MenuWorkloads", "BenchProbes", "BenchResults", "MenuSources", "MenuModel",
        "PersistenceBackends",
      ],
      path: "Tests/TestSupport", swiftSettings: untimed),
    .testTarget(
      name: "BenchEngineTests",
      dependencies: [
        "TestSupport", "BenchProcesses", "BenchEngine", "MenuWorkloads", "BenchProbes",
        "BenchResults", "MenuSources", "MenuModel", "PersistenceBackends", "Basics",
      ],
      swiftSettings: tested),
    .testTarget(
      name: "MenuWorkloadsTests",
      dependencies: [
        "TestSupport", "BenchEngine", "MenuWorkloads", "BenchProbes", "BenchResults", "MenuSources",
        "MenuModel", "PersistenceBackends",
      ],
      swiftSettings: tested),
    .testTarget(
      name: "MenuBenchKitTests",
      dependencies: [
        "MenuBenchSQLite", "MenuBenchKit", "BenchEngine", "BenchResults", "MenuSources",
        "MenuModel",
      ],
      swiftSettings: tested),
    .testTarget(
      name: "RevisionBuildTests", dependencies: ["RevisionBuild", "Basics"], swiftSettings: tested),
    .testTarget(
      name: "BenchAnalysisTests", dependencies: ["BenchAnalysis", "BenchResults", "Basics"],
      exclude: ["Cases"], swiftSettings: tested),
    .testTarget(
      name: "RunHistoryTests",
      dependencies: ["RunHistory", "BenchAnalysis", "BenchResults", "Basics", grdb],
      swiftSettings: tested),
    .testTarget(
      name: "BenchReportsTests",
      dependencies: ["BenchReports", "BenchAnalysis", "BenchResults", "Basics"],
      exclude: ["Golden"], swiftSettings: tested),
    .testTarget(
      name: "BenchProfilesTests", dependencies: ["Basics", "BenchProfiles", "BenchResults"],
      swiftSettings: tested),
    .testTarget(
      name: "BenchResultsTests", dependencies: ["BenchResults", "Basics"], swiftSettings: tested),
  ],
  // What simdjson's header is written in.
  cxxLanguageStandard: .cxx17
)

if let sanitizer {
  // What has no test under that sanitizer is not built.
  var others: Set = [
    "bench", "BenchCLI", "BenchReports", "RunHistory", "BenchAnalysis", "FaultyBench",
    "FaultyCalls",
    "References", "BenchStatistics", "MenuBenchKit", "MenuBenchSQLite",
    "BenchCLITests", "BenchCLIUnitTests", "BenchReportsTests", "RunHistoryTests",
    "BenchAnalysisTests", "BenchResultsTests", "BenchProfilesTests", "MenuBenchKitTests",
  ]
  others.formUnion(
    sanitizer == "address"
      ? [
        "BenchProcesses", "BenchProfiles", "BenchEngine", "MenuWorkloads", "RevisionBuild",
        "TestSupport", "BenchEngineTests", "MenuWorkloadsTests", "RevisionBuildTests",
      ] : ["MenuModelTests", "MenuSourcesTests"])
  package.products = []
  package.targets.removeAll { others.contains($0.name) }
}
