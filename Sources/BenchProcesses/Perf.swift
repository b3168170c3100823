import Basics
import BenchEngine
import BenchProbes
import BenchResults
import Foundation
import Subprocess

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

/// `perf`, where it is installed and may be used.
enum Perf {
  /// How to start a worker under it; the pipes by which the worker tells it when to sample are made first.
  ///
  /// - Parameter path: the file that it is to write.
  static func launch(_ worker: Launch, path: String) async -> Result<Launch, Unsupported> {
    guard await isThere() else {
      return .failure(
        Unsupported(
          "no perf here: install linux-perf, or leave --with out, whose sampler needs nothing"))
    }
    for pipe in [path + ".ctl", path + ".ack"] where mkfifo(pipe, 0o600) != 0 {
      return .failure(
        Unsupported("the pipe \(pipe) cannot be made: \(errnoMessage(errno))"))
    }
    // The kernel's half only where it may be seen (perf_event_paranoid(5)).
    let setting = try? String(
      contentsOfFile: "/proc/sys/kernel/perf_event_paranoid", encoding: .utf8)
    let paranoid = setting.flatMap { Int($0.split(whereSeparator: \.isNewline).first ?? "") }
    let event = geteuid() == 0 || (paranoid ?? 2) < 2 ? "cpu-clock" : "cpu-clock:u"
    var launch = worker
    launch.executable = .name("perf")
    launch.arguments =
      [
        "record", "--quiet", "-e", event, "-F", "\(PerfControl.rate)", "--call-graph",
        "dwarf,16384", "-D", "-1", "--control", "fifo:\(path).ctl,\(path).ack", "-o", path, "--",
      ] + worker.arguments
    return .success(launch)
  }

  private static func isThere() async -> Bool {
    let said = try? await run(
      .name("perf"), arguments: ["--version"], output: .discarded, error: .discarded)
    return said?.terminationStatus.isSuccess ?? false
  }

  /// The stacks of a file that it wrote, by addresses.
  ///
  /// - Throws: ``WorkloadFailure`` where it cannot read its own file.
  static func stacks(
    in path: String, of maps: String, sample: Double
  ) async throws -> [RawProfile.Stack] {
    defer { for end in ["", ".ctl", ".ack"] { unlink(path + end) } }
    let said = try await run(
      .name("perf"), arguments: ["script", "--no-inline", "-F", "ip,sym,dso", "-i", path],
      output: .string(limit: 1 << 30), error: .string(limit: 1 << 16))
    guard said.terminationStatus.isSuccess else {
      let reason = said.standardError.split(separator: "\n").first ?? "it said nothing"
      throw WorkloadFailure("perf script cannot read what perf recorded: \(reason)")
    }
    return stacks(said.standardOutput, of: maps, sample: sample)
  }

  /// Stacks as `perf script -F ip,sym,dso` prints them: a function a line, the innermost first, with its
  /// place in its file and, behind its name, the file; an empty line after each stack.
  ///
  /// - Parameter maps: the process's map of memory, by which places become its addresses again.
  static func stacks(_ text: String, of maps: String, sample: Double) -> [RawProfile.Stack] {
    let starts = starts(maps)
    var found: [RawProfile.Stack: Double] = [:]
    var (addresses, isInKernel) = ([UInt64](), false)
    func end() {
      guard !addresses.isEmpty || isInKernel else { return }
      let key = RawProfile.Stack(
        addresses: addresses, kernel: isInKernel ? "in the kernel" : nil, values: [])
      found[key, default: 0] += sample
      (addresses, isInKernel) = ([], false)
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard let word = line.split(whereSeparator: \.isWhitespace).first,
        let place = UInt64(word, radix: 16)
      else {
        end()
        continue
      }
      // The upper half of the addresses is the kernel's, and the end of what could be unwound.
      guard place >> 63 == 0 else {
        isInKernel = isInKernel || addresses.isEmpty
        continue
      }
      let file = line.lastIndex(of: "(").map { line[$0...].dropFirst().dropLast() } ?? ""
      addresses.append((starts[String(file)] ?? 0) &+ place)
    }
    end()
    return found.map { key, value in
      RawProfile.Stack(addresses: key.addresses, kernel: key.kernel, values: [value])
    }
  }

  /// Where the beginning of each mapped file would be in memory (proc(5)).
  private static func starts(_ maps: String) -> [String: UInt64] {
    let starts = maps.split(separator: "\n").compactMap { line -> (String, UInt64)? in
      let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard parts.count == 6, parts[1].contains("x"),
        let start = parts[0].split(separator: "-").first.flatMap({ UInt64($0, radix: 16) }),
        let offset = UInt64(parts[2], radix: 16)
      else { return nil }
      return (parts[5].trimmingCharacters(in: .whitespaces), start &- offset)
    }
    return Dictionary(starts) { first, _ in first }
  }
}
