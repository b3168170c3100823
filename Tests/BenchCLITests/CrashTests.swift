import Foundation
import PersistenceBackends
import Subprocess
import Testing

#if os(Linux)
  private let ids = BackendRegistry.all.filter { $0.promises.contains(.atomic) }.map(\.id)

  /// The output of `FaultyBench try-stores` for one backend.
  private struct Trials: Decodable {
    var calls: Int
    var log: [String]
    var tried: [String: Int]
    var found: [String: Int]
    var errors: [String: String]
    var broken: [String]

    init(
      _ id: String, _ durability: Durability, kills: Int = 0, calls: Int = 0, writers: Int = 0,
      saves: Int = 1
    ) async throws {
      let outcome = try await inFolder { folder in
        try await Executable.faulty.run(
          [
            "try-stores", id, "--durability", durability.rawValue, "--menu", Gate.menu,
            "--kills", "\(kills)", "--calls", "\(calls)", "--writers", "\(writers)",
            "--saves", "\(saves)", "--json",
          ], in: folder,
          environment: .inherit.updating(["LD_PRELOAD": Executable.library("FaultyCalls")]))
      }
      #expect(outcome.errors == "")
      let all = try JSONDecoder().decode([Trials].self, from: Data(outcome.output.utf8))
      self = try #require(all.first)
      #expect(outcome.status == .exited(broken.isEmpty ? 0 : 1))
    }
  }

  @Suite("A backend that promises atomic")
  struct CrashTests {
    @Test(
      "has the old or the new whole menu after its process is killed or a call fails",
      arguments: ids)
    func atomic(id: String) async throws {
      let trials = try await Trials(id, .atomic, kills: 10, calls: 4)
      #expect(trials.broken == [])
      #expect(trials.tried["killed at a moment"] == 10)
      for kind in [
        "killed before a call", "killed after a call", "ENOSPC at a call", "EIO at a call",
      ] {
        #expect(trials.tried[kind] == 4)
      }
      let (found, tried): (Int, Int) = (
        trials.found.values.reduce(0, +), trials.tried.values.reduce(0, +)
      )
      #expect(found == tried)
    }

    @Test("does so at durable, too", arguments: ["json", "sqlite", "lmdb"])
    func durable(id: String) async throws {
      let trials = try await Trials(id, .durable, kills: 3, calls: 5)
      #expect(trials.broken == [])
      #expect(trials.tried["killed before a call"] == 5)
    }

    @Test("names the call that failed, and says if the new menu is stored nevertheless")
    func errors() async throws {
      let trials = try await Trials("json", .durable, calls: 5)
      func error(_ trial: String) throws -> String {
        let error = try #require(trials.errors[trial])
        return error.replacing(#/\/\S*\/store\//#, with: "")
      }
      #expect(try error("ENOSPC at a call (call 1)") == "open menu.json: No space left on device")
      #expect(try error("ENOSPC at a call (call 2)") == "write menu.json: No space left on device")
      #expect(try error("EIO at a call (call 3)") == "flush menu.json: Input/output error")
      #expect(try error("EIO at a call (call 4)") == "rename menu.json: Input/output error")
      #expect(
        try error("EIO at a call (call 5)")
          == "flush folder : Input/output error: menu.json has its new content, but a power cut"
          + " may undo it")
      // The new one after a short write, which is made whole, and from the rename on.
      #expect(trials.found == ["old": 15, "new": 6])
    }

    @Test("has the whole menu of one of two writers, and both succeed", arguments: ids)
    func twoWriters(id: String) async throws {
      let trials = try await Trials(id, .atomic, writers: 3)
      #expect(trials.broken == [])
      #expect(trials.tried == ["stopped before a call while another writes": 3])
      #expect(trials.found == ["new": 3])
    }

    @Test("writes no menu through a mapping", arguments: ids, [Durability.atomic, .durable])
    func mappings(id: String, durability: Durability) async throws {
      let calls = try await Trials(id, durability).log.map(Call.init)
      // A log of nothing would show no mapping either.
      #expect(calls.contains { $0.name == "write" })
      let mapped = Set(calls.filter { $0.name == "map" }.map(\.file))
      // SQLite's index of its log and LMDB's table of readers, which both are made again after a
      // crash.
      #expect(mapped.filter { !$0.hasSuffix(".sqlite-shm") && $0 != "lock.mdb" } == [])
      #expect(!calls.contains { $0.name == "msync" })
    }
  }

  @Suite("Trials of a backend that breaks its promise")
  struct BrokenPromiseTests {
    @Test("find that a file is written in place")
    func inPlace() async throws {
      let trials = try await Trials("in-place", .atomic, calls: 2)
      #expect(trials.log == ["opened", "open menu.json", trials.log[2], "saved"])
      #expect(trials.broken.contains { $0.hasPrefix("killed before a call (call 2): threw(") })
      #expect(trials.broken.contains { $0.hasPrefix("ENOSPC at a call (call 2): threw(") })
    }

    @Test("find that two writers share a temporary name")
    func sharedAside() async throws {
      let trials = try await Trials("shared-aside", .atomic, writers: 3)
      #expect(!trials.log.contains { $0.hasPrefix("sync ") })
      #expect(trials.broken.count >= 2)
    }
  }

  /// A line of the log: what was called, on which file of the store, and more.
  private struct Call {
    let name: String
    let file: String
    let more: [String]

    init(_ line: String) {
      let words = line.split(separator: " ").map(String.init)
      name = words[0]
      file = words.dropFirst().first ?? ""
      more = Array(words.dropFirst(2))
    }

    /// The offset of a write.
    var offset: Int { Int(more.first ?? "") ?? -1 }
    /// Whether the descriptor writes through.
    var isThrough: Bool { more.last == "sync" }
  }

  @Suite("The order of calls in a save")
  struct CallOrderTests {
    private static let files = [
      "json": "menu.json", "plist": "menu.plist", "json-zstd": "menu.json.zst",
      "json-simdjson": "menu.json", "raw-response": "response.json",
      "raw-simdjson": "response.json", "cached-json": "menu.json", "protobuf": "menu.pb",
    ]

    @Test(
      "is write, flush and rename for a file, and then a flush of the folder at durable",
      arguments: files.keys.sorted(), [Durability.atomic, .durable])
    func wholeFile(id: String, durability: Durability) async throws {
      let file = try #require(Self.files[id])
      let calls = try await Trials(id, durability).log.map(Call.init)
      let aside = try #require(calls.first { $0.name == "open" }).file
      #expect(aside.hasPrefix(file + ".") && aside.hasSuffix(".new"))
      let words = calls.map { call in
        ([call.name, call.file] + (call.name == "write" ? [] : call.more)).joined(separator: " ")
      }
      #expect(
        words == ["opened ", "open \(aside)", "write \(aside)", "sync \(aside)"]
          + ["rename \(aside) \(file)"] + (durability == .durable ? ["sync ."] : []) + ["saved "])
    }

    private static let databases = BackendRegistry.all
      .filter { $0.libraries.contains(.grdb) && $0.promises.contains(.atomic) }.map(\.id)

    /// sqlite.org/wal.html, and sqlite.org/pragma.html#pragma_synchronous.
    @Test(
      "is log, flush, database, flush, end of log for SQLite, and a flush of the log at durable",
      arguments: databases, [Durability.atomic, .durable])
    func sqlite(id: String, durability: Durability) async throws {
      let calls = try await Trials(id, durability, saves: 3).log.map(Call.init)
      let database = try #require(calls.first { $0.file.hasSuffix(".sqlite") }).file
      let log = database + "-wal"
      var unflushed: Set<String> = []
      var written: [String: Int] = [:]
      for call in calls {
        switch (call.name, call.file) {
        case ("sync", _): unflushed.remove(call.file)
        case ("write", database): #expect(!unflushed.contains(log))
        case ("write", log) where call.offset == 0, ("truncate", log), ("unlink", log):
          #expect(!unflushed.contains(database))
        case ("saved", _) where durability == .durable: #expect(!unflushed.contains(log))
        default: break
        }
        guard call.name == "write" else { continue }
        unflushed.insert(call.file)
        written[call.file, default: 0] += 1
      }
      #expect(written[log, default: 0] > 3)
      #expect(written[database, default: 0] > 3)
      #expect(!unflushed.contains(database))
      #expect(calls.last { $0.file == log }?.name == "unlink")
    }

    /// See lmdb.h on MDB_NOMETASYNC. The fields of the meta page are in the first two pages.
    @Test(
      "is pages, flush, meta page for LMDB, which is written through at durable",
      arguments: [Durability.atomic, .durable])
    func lmdb(durability: Durability) async throws {
      let calls = try await Trials("lmdb", durability, saves: 3).log.map(Call.init)
      var isFlushed = true
      var metas = 0
      for call in calls where call.file == "data.mdb" {
        switch call.name {
        case "sync": isFlushed = true
        case "write" where call.offset < 8_192:
          #expect(isFlushed)
          #expect(call.isThrough == (durability == .durable))
          metas += 1
        case "write": isFlushed = false
        default: break
        }
      }
      #expect(isFlushed)
      #expect(metas == 3)
    }
  }
#endif
