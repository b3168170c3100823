import Basics
import Foundation
import Subprocess

/// Links SQLite anew from the archive that is installed beside Debian's library, for workers that are
/// profiled: the library itself has only the names that it exports, about half of its functions'.
///
/// Both come from the same source in the same version (libsqlite3-dev depends on just that of
/// libsqlite3-0); the archive's functions are compiled for executables, so that they are not to a byte
/// those that are measured elsewhere.
actor NamedLibraries {
  private let scratch: String?
  private var linking: Task<String?, Never>?

  /// Will link into a folder when asked first.
  init(scratch: String?) { self.scratch = scratch }

  /// What has a worker load them: nothing where there is no archive, or nobody to link it.
  func variables() async -> [String: String] {
    let task = linking ?? Task { await linked() }
    linking = task
    guard let folder = await task.value else { return [:] }
    let others = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ":" + $0 } ?? ""
    return ["LD_LIBRARY_PATH": folder + others]
  }

  private func linked() async -> String? {
    let archives = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/libsqlite3.a" }
    guard let scratch, let archive = archives.first(where: FileManager.default.fileExists) else {
      return nil
    }
    let folder = scratch + "/libraries"
    do {
      try makeFolder(folder)
      let end = try await run(
        .name("clang"),
        arguments: [
          "-shared", "-o", folder + "/libsqlite3.so.0",
          "-Wl,-soname,libsqlite3.so.0", "-Wl,-Bsymbolic", "-Wl,--whole-archive", archive,
          "-Wl,--no-whole-archive", "-lm", "-lz",
        ], output: .discarded, error: .discarded)
      return end.terminationStatus.isSuccess ? folder : nil
    } catch {
      return nil
    }
  }
}
