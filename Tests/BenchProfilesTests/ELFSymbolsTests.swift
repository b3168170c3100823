import BenchResults
import Foundation
import Testing

@testable import BenchProfiles

#if os(Linux)
  @Suite("An executable's functions")
  struct ELFSymbolsTests {
    @Test("are found by address")
    func ownExecutable() throws {
      let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
      let maps = String(decoding: try #require(try file.readToEnd()), as: UTF8.self)
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let map = AddressMap(maps: maps, executable: path)
      let puts = try #require(dlsym(nil, "puts"))
      let frame = map.frame(at: UInt64(UInt(bitPattern: puts)) + 3)
      #expect(frame.module.hasPrefix("libc.so"))
      #expect(["puts", "_IO_puts"].contains(frame.name))
      #expect(frame.owner == .system)
    }

    @Test(
      "do not exist in a text, an empty file or a file cut short",
      arguments: [0, 3, 64, 100, 5_000])
    func damaged(length: Int) throws {
      let whole = try Data(contentsOf: URL(filePath: "/proc/self/exe")).prefix(length)
      let path = NSTemporaryDirectory() + "elf-\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: path) }
      try whole.write(to: URL(filePath: path))
      #expect(ELFSymbols(path: path).function(at: 0x1000) == nil)
      #expect(ELFSymbols(path: path + "-no").functions.isEmpty)
    }

    @Test("have each a name that is not empty")
    func names() throws {
      let path = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      let names = ELFSymbols(path: path).functions.map { String($0.name) }
      #expect(names.count > 10_000)
      for name in names.enumerated() where name.offset.isMultiple(of: 50) {
        #expect(!FunctionNames.readable(name.element).name.isEmpty, "\(name.element)")
      }
    }

    @Test("have no name outside of every file")
    func unknown() {
      let frame = AddressMap(maps: "", executable: "x").frame(at: 12)
      #expect(!frame.isNamed)
    }
  }
#endif
