import Foundation

/// The executables built beside these tests.
package enum Products {
  /// `bench`, which serves as the worker of its own runs.
  package static let bench = path("bench")

  private static func path(_ name: String) -> String {
    // The package's products lie together; on Apple's systems the tests are a bundle among them.
    let bundle = Bundle(for: Anchor.self).bundleURL
    let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return products.appending(path: name).path
  }
}

private final class Anchor {}

/// Runs a test in an empty folder, and removes it.
package func inFolder(_ body: (String) async throws -> Void) async throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "harness-\(UUID())").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  try await body(folder)
}
