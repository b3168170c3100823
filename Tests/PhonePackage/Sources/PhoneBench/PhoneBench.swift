import AppStorage
import MenuBenchKit

/// Measures the app's storage beside others, and leaves the run in the file named.
@main
enum PhoneBench {
  static func main() async throws {
    let run = try await MenuBench.run(
      .json, .xmlPlist, .cachedJSON, .memory, menu: .small,
      options: .init(blocks: 2, tags: ["device": "phone"])
    ) { done, total in
      print("\(done) of \(total)")
    }
    try RunFile.write(run, to: CommandLine.arguments[1])
  }
}
