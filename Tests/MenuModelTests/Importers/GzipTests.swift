import Foundation
import Testing

@testable import MenuModel

@Suite("Gzip")
struct GzipTests {
  /// `gzip.compress(b'a menu', mtime=0)` of Python.
  private static let small = Data(base64Encoded: "H4sIAAAAAAACA0tUyE3NKwUA17fq7wYAAAA=") ?? Data()
  /// The same of 5,000 zeros.
  private static let zeros =
    Data(base64Encoded: "H4sIAAAAAAACA+3BMQEAAADCoPVPbQo/oAAAAACAtwGoDuXYiBMAAA==") ?? Data()

  private func content(_ bytes: Data, limit: Int = 1_000) -> String? {
    (try? Gzip.content(of: bytes, limit: limit)).map { String(decoding: $0, as: UTF8.self) }
  }

  private func fault(_ bytes: Data, limit: Int = 1_000) -> Gzip.Fault? {
    do throws(Gzip.Fault) {
      _ = try Gzip.content(of: bytes, limit: limit)
      return nil
    } catch {
      return error
    }
  }

  @Test("is told by its first two bytes, and undone")
  func content() {
    #expect(Gzip.isGzip(Self.small))
    #expect(!Gzip.isGzip(Data("{}".utf8)))
    #expect(!Gzip.isGzip(Data([0x1F])))
    #expect(content(Self.small) == "a menu")
  }

  @Test("may come in several members, one behind the other")
  func members() {
    #expect(content(Self.small + Self.small + Self.small) == "a menua menua menu")
  }

  @Test("holds no more than the limit, which its content is never allowed to pass")
  func limit() {
    #expect(content(Self.zeros, limit: 5_000)?.count == 5_000)
    #expect(fault(Self.zeros, limit: 4_999) == .tooLong)
    #expect(fault(Self.small + Self.small, limit: 11) == .tooLong)
    #expect(content(Self.small + Self.small, limit: 12) == "a menua menu")
  }

  @Test("is cut short wherever it ends too early, in its second member too")
  func truncated() {
    for length in 2..<Self.small.count {
      #expect(fault(Self.small.prefix(length)) == .truncated, "\(length)")
    }
    #expect(fault(Self.small + Self.small.dropLast()) == .truncated)
  }

  @Test("is never taken for other content when a bit of it is wrong")
  func damaged() {
    for index in Self.small.indices {
      for bit in 0..<8 {
        var bytes = Self.small
        bytes[index] ^= 1 << bit
        // The time, the system and what fills the last byte up say nothing of the content.
        #expect([nil, "a menu"].contains(content(bytes)), "\(index) \(bit)")
      }
    }
    // One byte may be the first of a member that is cut short.
    #expect(fault(Self.small + Data("x".utf8)) == .truncated)
    #expect(fault(Self.small + Data("no member".utf8)) == .damaged(offset: 28))
  }

  @Test("of a menu file is read as the file, and one that is damaged is refused in words")
  func menuFile() throws {
    let problem = #expect(throws: MenuFileProblem.self) { try MenuFile.decode(Self.small) }
    #expect(problem == .notJSON(found: "a", at: .init(line: 1, column: 1)))
    let short = #expect(throws: MenuFileProblem.self) {
      try MenuFile.decode(Self.small.dropLast(3))
    }
    #expect(short?.description == "it is cut short: its gzip does not come to an end")
    #expect(short?.help == "fetch or copy the file again")
    let wrong = #expect(throws: MenuFileProblem.self) {
      try MenuFile.decode(Self.small.dropLast(8) + Data(count: 8))
    }
    #expect(wrong?.description == "its gzip is damaged near byte 22")
  }
}
