import Basics
import BenchProbes
import Foundation
import Subprocess

/// Files that some workers need in addition to their executable, made in the scratch folder on first use.
actor Preparations {
  private let executable: String
  private let scratch: String?
  private lazy var copying = Task { try await copied() }
  private lazy var linking = Task { try? await linked() }

  init(executable: String, scratch: String?) {
    self.executable = executable
    self.scratch = scratch
  }

  /// A copy of the executable that Callgrind can start; throws ``Unsupported`` if it cannot be made.
  var strippedCopy: String { get async throws { try await copying.value } }

  /// A folder with an SQLite library linked from the archive of Debian's libsqlite3-dev, for
  /// workers that are profiled. The installed library only has the names that it exports, about
  /// half of its functions. Nil if there is no archive, or no clang to link it.
  ///
  /// Both come from the same source in the same version, because libsqlite3-dev depends on exactly
  /// that version of libsqlite3-0. The archive is compiled for executables, so its functions are
  /// not byte for byte those that are measured elsewhere.
  var namedLibraries: String? { get async { await linking.value } }

  /// Valgrind 3.19 cannot read the debug information of Swift's executables.
  private func copied() async throws -> String {
    guard await Callgrind.version() != nil else {
      throw Unsupported("valgrind is missing: install valgrind, remove .build and build again")
    }
    guard let scratch else { throw Unsupported("no folder for a stripped copy") }
    let copy = scratch + "/worker"
    do {
      try makeFolder(scratch)
      try await Self.run("strip", ["-g", "-o", copy, executable])
      return copy
    } catch {
      throw Unsupported("strip of binutils made no copy of \(executable): \(systemReason(error))")
    }
  }

  private func linked() async throws -> String? {
    let archives = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/libsqlite3.a" }
    guard let scratch, let archive = archives.first(where: FileManager.default.fileExists) else {
      return nil
    }
    let folder = scratch + "/libraries"
    try makeFolder(folder)
    try await Self.run(
      "clang",
      [
        "-shared", "-o", folder + "/libsqlite3.so.0",
        "-Wl,-soname,libsqlite3.so.0", "-Wl,-Bsymbolic", "-Wl,--whole-archive", archive,
        "-Wl,--no-whole-archive", "-lm", "-lz",
      ])
    return folder
  }

  /// Runs a tool and returns its output.
  ///
  /// - Throws: ``Unsupported`` with the tool's message if it fails, Subprocess's error if it is missing.
  @discardableResult
  static func run(_ tool: String, _ arguments: [String]) async throws -> String {
    let end = try await Subprocess.run(
      .name(tool), arguments: Arguments(arguments), output: .string(limit: 1 << 16),
      error: .string(limit: 1 << 16))
    guard !end.terminationStatus.isSuccess else { return end.standardOutput }
    let said = end.standardError.split(separator: "\n").first ?? "it said nothing"
    throw Unsupported(String(said))
  }
}
