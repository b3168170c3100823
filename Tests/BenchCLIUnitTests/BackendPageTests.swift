import BenchEngine
import BenchResults
import MenuModel
import PersistenceBackends
import Testing

@testable import BenchCLI

@Suite("The page of a backend")
struct BackendPageTests {
  private static let json = """
      json
        models    JSON by Foundation, in one file
        is        json@file
        caveat    none
        promises  atomic: a crash or a power cut leaves the old or the new menu
                  (durability atomic)
                  durable: a crash or a power cut leaves the last menu saved
                  (durability durable)
                  concurrent-reader: readers continue while a writer replaces the
                  menu (not at durability none)
                  schema-change: an older program's menu is migrated or read as it
                  is (workload upgrade)
        not       partial-read, query
        restart   keeps what was written
        library   Foundation
        licence   Apache-2.0
        adds      nothing: it comes with the system or with Swift
        advice    one coder for many values, left at its defaults unless a format
                  asks for more: followed
                  https://developer.apple.com/documentation/foundation/jsonencoder
                  write a temporary file and rename it, so that no reader finds half
                  a file: followed at atomic and durable by the system's calls, with
                  a flush as in Foundation on Linux, but not at none
                  https://developer.apple.com/documentation/foundation/nsdata/writingoptions/atomic

    """

  private func entry(
    library: Library? = nil, promises: Durability = .none
  ) -> BackendEntry<Menu> {
    BackendEntry(
      id: "ours", summary: "our own", survivesRestart: false, library: library, promises: promises
    ) { _ in MemoryBackend<Menu>() }
  }

  private func fact(_ title: String, of entry: BackendEntry<Menu>) -> [String]? {
    BackendPage(entry).facts.first { $0.title == title }?.points
  }

  @Test("leaves it to tables to note which figures stand for something else")
  func notes() {
    let model = "a model of an object database on GRDB, not Core Data or Realm"
    var expected = ["object-graph: \(model)", "object-graph-faulting: \(model)"]
    #if os(Linux)
      expected.append(
        "userdefaults: Linux's preferences (XML, Base64), not those of Apple's systems")
    #endif
    #expect(
      BackendRegistry.all.compactMap { entry in
        entry.info.note.map { "\(entry.id): \($0)" }
      } == expected)
  }

  @Test("has everything that json is and promises, within 80 columns")
  func json() {
    let text = BackendPage(BackendEntry<Menu>.json).text(width: 80)
    #expect(text == Self.json)
    #expect(
      text.split(separator: "\n").allSatisfy { $0.count <= 80 || $0.contains("https://") })
  }

  @Test("uses the terminal's width, and stays readable on the narrowest one")
  func width() {
    let page = BackendPage(BackendEntry<Menu>.json)
    #expect(page.text(width: 200).contains("the last menu saved (durability durable)\n"))
    #expect(
      page.text(width: 1).hasPrefix(
        """
          json
            models    JSON by Foundation,
                      in one file

        """))
  }

  @Test("says that facts are not stated for a backend without them, never that there are none")
  func unknown() {
    #expect(fact("library", of: entry()) == ["not stated"])
    #expect(fact("licence", of: entry()) == ["not stated"])
    #expect(fact("adds", of: entry()) == ["not stated"])
    #expect(fact("promises", of: entry()) == ["nothing"])
    #expect(fact("restart", of: entry()) == ["keeps nothing"])
  }

  @Test("shows whether a library adds nothing, comes with the system, or was not measured")
  func sizes() {
    #expect(fact("adds", of: entry(library: Library.none)) == ["nothing"])
    #expect(
      fact("adds", of: entry(library: .foundation))
        == ["nothing: it comes with the system or with Swift"])
    let unheard = Library(name: "unheard", licence: "MIT", id: "unheard-of")
    #expect(fact("adds", of: entry(library: unheard)) == ["not measured"])
    let parts = LibrarySize(code: 5_240_000, shared: ["libb.so": 512, "liba.so": 90])
    #expect(
      BackendPage.wording(of: parts)
        == "5.24 MB of code in the binary, 90 B as the system's liba.so, "
        + "512 B as the system's libb.so")
    let shared = LibrarySize(code: 0, shared: ["a.so": 1])
    #expect(BackendPage.wording(of: shared) == "1 B as the system's a.so")
    #expect(
      BackendPage.additions(of: BackendEntry<Menu>.sqlite)
        == "GRDB (SQLite), 3.10 MB of code in the binary, 1.44 MB as the system's libsqlite3.so.0")
    #expect(BackendPage.additions(of: BackendEntry<Menu>.json) == nil)
  }

  @Test("names what a backend promises and what it does not, each promise once")
  func promises() {
    #expect(fact("promises", of: .sqlite)?.count == 6)
    #expect(fact("not", of: .sqlite) == ["nothing"])
    #expect(fact("not", of: .lmdb) == ["query"])
    #expect(
      fact("not", of: entry(promises: .atomic))
        == ["durable, partial-read, query, concurrent-reader, schema-change"])
  }

  @Test("names the phases that may be faster than their floors, with the reasons")
  func belowFloor() {
    #expect(fact("floors", of: .json) == nil)
    #expect(
      fact("floors", of: .rawResponse)
        == ["encode is below its floor: returns the response that it was given"])
  }

  @Test("has the library of every backend, and a size unless the system has the library")
  func everyBackend() {
    for entry in BackendRegistry.all {
      #expect(!entry.libraries.isEmpty, "\(entry.id)")
      // A store in memory alone promises nothing. A lasting store, such as preferences, may promise
      // nothing.
      #expect(entry.survivesRestart || entry.promises.isEmpty, "\(entry.id)")
      #expect(fact("adds", of: entry) != ["not measured"], "\(entry.id)")
      #expect(!entry.advice.isEmpty, "\(entry.id)")
      #expect(entry.advice.allSatisfy { $0.source.hasPrefix("http") }, "\(entry.id)")
    }
  }
}
