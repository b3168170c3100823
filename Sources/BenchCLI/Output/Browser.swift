import Basics
import Foundation

/// The browser of whoever sits at the machine.
enum Browser {
  /// Opens a file.
  ///
  /// - Throws: a ``CLIError`` where there is nothing to open it with.
  static func show(_ path: String) throws {
    let help = "open \(path) yourself"
    guard let opener = opener() else {
      throw CLIError("no browser can be started: there is no \(name)", help: help, status: .failed)
    }
    let process = Process()
    process.executableURL = URL(filePath: opener)
    process.arguments = [path]
    do {
      try process.run()
    } catch {
      throw CLIError(
        "\(opener) cannot be started: \(systemReason(error))", help: help, status: .failed)
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CLIError(
        "\(opener) ended with status \(process.terminationStatus)", help: help, status: .failed)
    }
    Console.note("page: \(path)")
  }

  /// What opens a file with the program that is meant for it.
  private static var name: String {
    #if os(macOS)
      "open"
    #else
      "xdg-open"
    #endif
  }

  private static func opener() -> String? {
    let places = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return places.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }
}
