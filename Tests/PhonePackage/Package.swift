// swift-tools-version: 6.2
import PackageDescription

// An app's package that measures its storage in its own process: in the app, and in a test.
let package = Package(
  name: "PhoneBench",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "MenuBench", path: "../..")],
  targets: [
    .target(
      name: "AppStorage", dependencies: [.product(name: "MenuBenchKit", package: "MenuBench")]),
    // It replaces the app: a screen with a button does the same.
    .executableTarget(
      name: "PhoneBench",
      dependencies: ["AppStorage", .product(name: "MenuBenchKit", package: "MenuBench")]),
    .testTarget(
      name: "AppStorageTests",
      dependencies: ["AppStorage", .product(name: "MenuBenchKit", package: "MenuBench")]),
  ]
)
