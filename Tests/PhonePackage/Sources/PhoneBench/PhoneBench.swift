import AppStorage
import Foundation
import MenuBenchKit

/// Measures the app's storage and others, and writes the run to a file: in an app, among its documents.
@main
enum PhoneBench {
  static func main() async throws {
    let run = try await MenuBench.run(
      [.json, .xmlPlist, .cachedJSON, .memory], menu: .small,
      options: .init(blocks: 2, tags: ["device": "phone"])
    ) { done, total in
      print("\(done) of \(total)")
    }
    let file = CommandLine.arguments.dropFirst().first ?? NSHomeDirectory() + "/Documents/run.json"
    try RunFile.write(run, to: file)
  }
}
