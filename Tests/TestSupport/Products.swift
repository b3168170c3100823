import Foundation

/// The executables that are built next to these tests.
package enum Products {
  /// `bench`, which serves as the worker of its own runs.
  package static let bench = path("bench")

  private static func path(_ name: String) -> String {
    // The package's products are in one folder. On Apple's systems, the tests are a bundle in it.
    let bundle = Bundle(for: Anchor.self).bundleURL
    let products = bundle.pathExtension == "xctest" ? bundle.deletingLastPathComponent() : bundle
    return products.appending(path: name).path
  }
}

private final class Anchor {}

/// Runs a test in an empty folder, and removes it.
package func inFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  let folder = try emptyFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try await body(folder)
}

package func inFolder<Result>(_ body: (String) throws -> Result) throws -> Result {
  let folder = try emptyFolder()
  defer { try? FileManager.default.removeItem(atPath: folder) }
  return try body(folder)
}

/// Does work that blocks on a thread of its own.
package func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
  }
}

private func emptyFolder() throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: "bench-\(UUID())").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  return folder
}
