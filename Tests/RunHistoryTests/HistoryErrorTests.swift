import Basics
import Foundation
import GRDB
import Testing

@testable import BenchAnalysis
@testable import RunHistory

@Suite("An unusable history has a reason")
struct HistoryErrorTests {
  private func refusal(_ body: () throws -> Void) -> Refusal? {
    do {
      try body()
      return nil
    } catch {
      return error as? Refusal
    }
  }

  /// Makes a history of many runs.
  private func fill(_ path: String) throws {
    let phases = (0..<200).map { series(Double($0), phase: "phase \($0)") }
    let entries = (0..<5).map { HistoryEntry(record($0, phases)) }
    _ = try HistoryIndex(path, creating: true).add(entries)
  }

  @Test("A missing one is not created by a read")
  func missing() throws {
    try inHistory { path in
      let error = refusal { _ = try HistoryIndex(path) }
      #expect(error?.message == "there is no history at \(path)")
      #expect(error?.help == "start one: bench history add")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("A file with other content stays unchanged")
  func foreign() throws {
    try inHistory { path in
      _ = try HistoryIndex(path, creating: true)
      let file = URL(filePath: path)
      let text = Data(String(repeating: "no database\n", count: 400).utf8)
      try text.write(to: file)
      for creating in [false, true] {
        let error = refusal { _ = try HistoryIndex(path, creating: creating) }
        #expect(error == .notAHistory(path, "it is not an SQLite database"))
        #expect(error?.message == "\(path) is not a history: it is not an SQLite database")
        #expect(error?.help == "give a history's file with --index")
      }
      #expect(try Data(contentsOf: file) == text)
      try Data().write(to: file)
      #expect(refusal { _ = try HistoryIndex(path) } == .notAHistory(path, "it is empty"))
      try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "CREATE TABLE note (text)") }
      for creating in [false, true] {
        #expect(
          refusal { _ = try HistoryIndex(path, creating: creating) }
            == .notAHistory(path, "it is a database of another program"))
      }
    }
  }

  @Test("One that a newer program made is refused with its version")
  func newer() throws {
    try inHistory { path in
      _ = try HistoryIndex(path, creating: true)
      try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: "PRAGMA user_version = 3") }
      let error = refusal { _ = try HistoryIndex(path) }
      #expect(error?.message == "\(path) has version 3, and this program knows up to version 2")
      #expect(error?.help == "use the newer program that made it")
    }
  }

  @Test("One with overwritten bytes, a missing table or a value of another kind is damaged")
  func damaged() throws {
    try inHistory { path in
      try fill(path)
      let whole = try Data(contentsOf: URL(filePath: path))
      #expect(whole.count > 40_000)
      let broken = whole.prefix(4_096) + Data(repeating: 0xFF, count: whole.count - 4_096)
      try broken.write(to: URL(filePath: path))
      #expect(isDamaged(path))
      let deep = String(repeating: "[", count: 513)
      for change in [
        "DROP TABLE figure", "UPDATE series SET unit = 'parsec'", "UPDATE context SET facts = '{'",
        "PRAGMA foreign_keys = OFF; DELETE FROM run", "UPDATE figure SET p50 = 9e999",
        "UPDATE figure SET p50 = -1", "UPDATE figure SET high = 1e300",
        "UPDATE context SET facts = '\(deep)'", "UPDATE run SET tags = '\(deep)'",
      ] {
        try whole.write(to: URL(filePath: path))
        try DatabaseQueue(path: path).inDatabase { try $0.execute(sql: change) }
        #expect(isDamaged(path), "\(change)")
      }
    }
  }

  @Test("One that was cut is damaged, and no flipped bit changes what is read")
  func flipped() throws {
    try inHistory { path in
      let phases = (0..<40).map { series(Double($0) + 0.5, phase: "phase \($0)") }
      let entries = (0..<3).map { HistoryEntry(record($0, phases, tags: ["pr": "\($0)"])) }
      _ = try HistoryIndex(path, creating: true).add(entries)
      let file = URL(filePath: path)
      let whole = try Data(contentsOf: file)
      for count in [1, 4_095, 4_096] {
        try whole.dropLast(count).write(to: file)
        #expect(isDamaged(path), "\(count) bytes fewer")
      }
      func read(last: Int?) throws -> String {
        let index = try HistoryIndex(path)
        let content = try index.content(last: last) { _ in true }
        return "\(content.lines) \(content.contexts) \(try index.runs(last: 9))"
      }
      try whole.write(to: file)
      let (all, newest) = (try read(last: nil), try read(last: 1))
      for offset in stride(from: 0, to: whole.count, by: 211) {
        var bytes = whole
        bytes[offset] ^= 1 << UInt8(offset % 8)
        try bytes.write(to: file)
        let found = (try? read(last: nil), try? read(last: 1))
        #expect((found.0 ?? all) == all && (found.1 ?? newest) == newest, "byte \(offset)")
      }
    }
  }

  @Test("One of version 1, without checksums, is read and added to")
  func older() throws {
    try inHistory { path in
      let entries = (0..<3).map { HistoryEntry(record($0, [series(Double($0))])) }
      #expect(try HistoryIndex(path, creating: true).add(Array(entries.prefix(2))) == 2)
      try DatabaseQueue(path: path).inDatabase {
        try $0.execute(
          sql: """
            DROP TRIGGER count_figure; ALTER TABLE series DROP COLUMN figures;
            ALTER TABLE run DROP COLUMN sum; ALTER TABLE figure DROP COLUMN sum;
            PRAGMA user_version = 1
            """)
      }
      let index = try HistoryIndex(path)
      #expect(try index.figures().map(\.figures) == [2])
      #expect(try index.add(entries) == 1)
      let lines = try HistoryIndex(path).content { _ in true }.lines
      #expect(lines.map { $0.points.map(\.figure.p50) } == [[0, 1, 2]])
      #expect(try index.figures().map(\.figures) == [3])
    }
  }

  private func isDamaged(_ path: String) -> Bool {
    let error = refusal { _ = try HistoryIndex(path).content { _ in true } }
    return error?.message.hasPrefix("\(path) is damaged: ") == true
      && error?.help == "move it away, and add the runs again: bench history add"
  }

  @Test("One that another process writes to is locked, and has none of the added runs")
  func locked() throws {
    try inHistory { path in
      let entry = HistoryEntry(record(0, [series(1)]))
      let index = try HistoryIndex(path, creating: true, timeLimit: 0)
      let other = try DatabaseQueue(path: path)
      try other.inTransaction(.exclusive) { _ in
        for error in [
          refusal { _ = try index.add([entry]) }, refusal { _ = try index.content { _ in true } },
          refusal { _ = try HistoryIndex(path, timeLimit: 0) },
        ] {
          #expect(error?.message == "\(path) is locked: another process is writing to it")
          #expect(error?.help == "try again once it is done")
        }
        return .commit
      }
      #expect(try index.count() == 0)
      #expect(try index.add([entry]) == 1)
    }
  }

  @Test("A place where no file can be is named with the system's reason")
  func unusable() throws {
    try inHistory { path in
      _ = try HistoryIndex(path, creating: true)
      let inside = path + "/history.sqlite"
      for creating in [false, true] {
        #expect(
          refusal { _ = try HistoryIndex(inside, creating: creating) }?.message
            == "\(inside) cannot be used: Not a directory")
      }
      let folder = URL(filePath: path).deletingLastPathComponent().path
      let error = refusal { _ = try HistoryIndex(folder, creating: true) }
      #expect(error?.message == "\(folder) cannot be used: unable to open database file")
      #expect(error?.help == "choose another place with --index")
    }
  }

  @Test("An empty name is refused, and no file is made in the current folder")
  func unnamed() {
    let error = refusal { _ = try HistoryIndex("", creating: true) }
    #expect(error?.message == " cannot be used: unable to open database file")
  }
}
