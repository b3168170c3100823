import Basics
import BenchAnalysis
import BenchResults
import Foundation

/// The whole gates of all self-tests, one a line, in a file beside their page.
struct TrialFile: Sendable {
  let path: String
  private(set) var trials: [GateTrial] = []

  /// Reads what was recorded before; there may be none.
  ///
  /// - Throws: a ``CLIError`` where a line is not a gate: nothing is added to what cannot be read.
  init(besides page: String) throws {
    path = (page.hasSuffix(".md") ? String(page.dropLast(3)) : page) + ".jsonl"
    guard FileManager.default.fileExists(atPath: path) else { return }
    let lines = try RunFile.contents(path)
    for (number, line) in lines.split(separator: UInt8(ascii: "\n")).enumerated() {
      let isJSON = RunFile.fault(of: [UInt8](line)) == nil
      guard isJSON, let trial = try? JSONDecoder().decode(GateTrial.self, from: line) else {
        throw CLIError(
          "\(path), line \(number + 1) is no gate of a self-test",
          help: "restore or remove it: gates are added only to what can be read",
          status: .unmeasured)
      }
      trials.append(trial)
    }
  }

  /// Adds a gate at the end of the file: another self-test may add to it, too.
  ///
  /// - Throws: a ``CLIError`` with the system's reason; the file is then as it was.
  mutating func add(_ trial: GateTrial) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = try encoder.encode(trial) + Data("\n".utf8)
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable() }
    defer { close(descriptor) }
    let written = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == line.count else {
      let error = unwritable()
      // Half a line would make the file one that cannot be read.
      if written > 0 { ftruncate(descriptor, lseek(descriptor, 0, SEEK_END) - off_t(written)) }
      throw error
    }
    trials.append(trial)
  }

  private func unwritable() -> CLIError {
    CLIError("\(path) cannot be written: \(errnoMessage())", status: .failed)
  }
}
