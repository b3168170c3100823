import BenchResults
import Foundation
import Subprocess

/// How a worker's process is started.
struct Launch: Sendable {
  var executable: Executable
  var arguments: [String]
  /// What it sees of the environment besides the few variables that every worker gets.
  var variables: [String: String] = [:]
}

extension Launch {
  /// A worker sees only what it needs: the environment's size moves a process's stack, and its
  /// variables reach into libraries. No block spends its time on drawing a backtrace when it crashes.
  var environment: Subprocess.Environment {
    let passed = ["PATH", "HOME", "TMPDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"]
    let own = ProcessInfo.processInfo.environment
    var all = ["SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
    for name in passed { all[name] = own[name] }
    return .custom(
      Dictionary(
        uniqueKeysWithValues: all.map { (Subprocess.Environment.Key(stringLiteral: $0), $1) }))
  }

  /// A group of its own: Ctrl-C on a terminal reaches the parent, which then ends its worker.
  static var platformOptions: PlatformOptions {
    var options = PlatformOptions()
    options.processGroupID = 0
    return options
  }
}
