// swift-tools-version: 6.2
import PackageDescription

// A team's package that measures its own backend: one dependency, one product, one import.
let package = Package(
  name: "ReadingListBench",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "MenuBench", path: "../..")],
  targets: [
    // The team's own document type, with its own backend next to ours.
    .executableTarget(
      name: "ReadingListBench",
      dependencies: [.product(name: "BenchCLI", package: "MenuBench")])
  ]
)
