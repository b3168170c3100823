import Foundation
import PersistenceBackends
import Subprocess
import Testing

@Suite("bench list lists what bench has")
struct ListTests {
  @Test("With --verbose, every backend has a page, and the other lists are unchanged")
  func pages() async throws {
    try await inFolder { folder in
      let brief = try await Executable.bench("list", in: folder)
      let verbose = try await Executable.bench("list --verbose", in: folder)
      #expect(verbose.status == .exited(0))
      let others = brief.output.components(separatedBy: "\nmenus\n")
      #expect(others.count == 2)
      #expect(verbose.output.hasPrefix("backends\n\n  json\n    models "))
      for entry in BackendRegistry.all { #expect(verbose.output.contains("\n\n  \(entry.id)\n")) }
      #expect(others.last.map { verbose.output.hasSuffix("\nmenus\n" + $0) } == true)
    }
  }

  @Test("An unknown list is refused with the known ones")
  func unknownKind() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("list backend --verbose", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(
        outcome.errors == """
          error: unknown kind 'backend'
          help: did you mean 'backends'? kinds: backends, codecs, places, menus, workloads, \
          durabilities, formats, metrics

          """)
    }
  }
}
