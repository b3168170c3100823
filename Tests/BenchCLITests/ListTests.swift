import Foundation
import PersistenceBackends
import Subprocess
import Testing

@Suite("bench list tells what there is")
struct ListTests {
  @Test("Verbosely every backend has a page, json's word for word")
  func pages() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("list backends --verbose", in: folder)
      #expect(outcome.status == .exited(0))
      #expect(
        outcome.output.hasPrefix(
          """
          backends

            json
              models    JSON by Foundation's JSONEncoder, in one file
              is        json@file
              caveat    none
              promises  atomic: a crash or a power cut leaves the old or the new menu
                        (durability atomic)
                        durable: a crash or a power cut leaves the last menu saved
                        (durability durable)
                        concurrent-reader: readers go on while a writer replaces the menu
                        (not at durability none)
                        schema-change: an older program's menu is brought up to date or
                        read as it is, as upgrade tries it
              not       partial-read, query
              restart   keeps what was written
              library   Foundation
              licence   Apache-2.0
              adds      nothing: it comes with the system or with Swift
              advice    one coder for many values, left at its defaults unless a format
                        asks for more: followed
                        https://developer.apple.com/documentation/foundation/jsonencoder
                        write a file aside and rename it, so that nobody finds half of it:
                        followed at atomic and durable, by the system's calls, flushed as
                        Foundation does on Linux; not at none
                        https://developer.apple.com/documentation/foundation/nsdata/writingoptions/atomic

            plist

          """))
      for entry in BackendRegistry.all { #expect(outcome.output.contains("\n\n  \(entry.id)\n")) }
    }
  }

  @Test("Without a kind the pages stand before the other kinds, which are as ever")
  func allKinds() async throws {
    try await inFolder { folder in
      let brief = try await Executable.bench("list", in: folder)
      let verbose = try await Executable.bench("list --verbose", in: folder)
      let others = brief.output.components(separatedBy: "\nmenus\n")
      #expect(others.count == 2)
      #expect(verbose.output.hasPrefix("backends\n\n  json\n    models "))
      #expect(others.last.map { verbose.output.hasSuffix("\nmenus\n" + $0) } == true)
    }
  }

  @Test("Which codec stands in which place is a table, with the names of those that have one")
  func pairs() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("list pairs", in: folder)
      #expect(
        outcome.output == """
          pairs
                           file           sqlite-row   lmdb  userdefaults  memory
            json           json           sqlite-blob  @     userdefaults  @
            json-simdjson  json-simdjson  @            @     @             @
            json-zstd      json-zstd      @            @     @             @
            plist          plist          @            @     @             @
            protobuf       protobuf       @            @     @             @
            @: by the name CODEC@PLACE alone; others also by the name that stands there

          """)
    }
  }

  @Test("For scripts every kind is a list, and a backend has all that its page says")
  func json() async throws {
    try await inFolder { folder in
      func list(_ arguments: String) async throws -> [String: Any] {
        let outcome = try await Executable.bench("list \(arguments)--format json", in: folder)
        #expect(outcome.status == .exited(0))
        let whole = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
        return try #require(whole as? [String: Any])
      }
      let all = try await list("")
      #expect(
        Set(all.keys) == [
          "kind", "schema", "tool", "backends", "codecs", "places", "pairs", "menus", "workloads",
          "durabilities", "formats", "metrics",
        ])
      let backends = try #require(all["backends"] as? [[String: Any]])
      #expect(backends.compactMap { $0["id"] as? String } == BackendRegistry.all.map(\.id))
      #expect(backends[0]["codec"] as? String == "json")
      #expect(backends[0]["place"] as? String == "file")
      #expect((backends[0]["promises"] as? [String])?.contains("durable") == true)
      let metrics = try await list("metrics ")
      #expect(Set(metrics.keys) == ["kind", "schema", "tool", "metrics"])
      let refused = try await Executable.bench("list --format markdown", in: folder)
      #expect(refused.status == .exited(64))
      #expect(
        refused.errors.hasPrefix("error: unknown format 'markdown'\nhelp: formats: table, json"))
    }
  }

  @Test("An unknown kind is refused with the kinds that there are")
  func unknownKind() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench("list backend --verbose", in: folder)
      #expect(outcome.status == .exited(64))
      #expect(
        outcome.errors == """
          error: unknown kind 'backend'
          help: did you mean 'backends'? kinds: backends, codecs, places, pairs, menus, workloads, \
          durabilities, formats, metrics

          """)
    }
  }
}
