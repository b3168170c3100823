// swift-tools-version: 6.2
import PackageDescription

// A team's package that measures its own backend: one dependency, one product, one import.
let package = Package(
  name: "ReadingListBench",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "MenuBench", path: "../..")],
  targets: [
    // Their own document type, with their own backend beside ours.
    .executableTarget(
      name: "ReadingListBench",
      dependencies: [.product(name: "BenchCLI", package: "MenuBench")])
  ]
)
