import Basics
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
      "are none of a text, of nothing, and of a file cut short", arguments: [0, 3, 64, 100, 5_000])
    func damaged(length: Int) throws {
      let whole = try Data(contentsOf: URL(filePath: "/proc/self/exe")).prefix(length)
      let path = NSTemporaryDirectory() + "elf-\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: path) }
      try whole.write(to: URL(filePath: path))
      let symbols = ELFSymbols(path: path)
      #expect(symbols?.function(at: 0x1000) == nil)
      #expect(ELFSymbols(path: path + "-no") == nil)
    }

    @Test("are not looked for outside of a file whose headers say they are there")
    func contradicting() throws {
      #if arch(arm64)
        let loader = "/lib/ld-linux-aarch64.so.1"
      #else
        let loader = "/lib64/ld-linux-x86-64.so.2"
      #endif
      let whole = try Data(contentsOf: URL(filePath: loader))
      let path = NSTemporaryDirectory() + "elf-\(UUID())"
      defer { try? FileManager.default.removeItem(atPath: path) }
      for seed in UInt64(0)..<200 {
        var (generator, damaged) = (SplitMix64(seed: seed), whole)
        // The file's header and those of its segments, or those of its sections, which end it.
        let places = seed.isMultiple(of: 2) ? 5..<600 : whole.count - 3_000..<whole.count
        for _ in 0..<8 {
          damaged[Int.random(in: places, using: &generator)] = [0, 0x7f, 0xff].randomElement(
            using: &generator)!
        }
        try damaged.write(to: URL(filePath: path))
        let maps = "1000-ffffffffffff0000 r-xp ffffffffff000000 00:00 1 \(path)"
        let map = AddressMap(maps: maps, executable: path)
        for address in [0x1000, 0x2345, UInt64.max - 0x20000] {
          #expect(!map.frame(at: address).name.isEmpty, "seed \(seed)")
        }
      }
    }

    @Test("have a name each that is not empty")
    func names() throws {
      let names = try #require(ELFSymbols(path: "/proc/self/exe")).names
      #expect(names.count > 10_000)
      for name in names.enumerated() where name.offset.isMultiple(of: 50) {
        #expect(!FunctionNames.readable(name.element).name.isEmpty, "\(name.element)")
      }
    }

    @Test("outside of every file has no name")
    func unknown() {
      let frame = AddressMap(maps: "", executable: "x").frame(at: 12)
      #expect(!frame.isNamed)
    }
  }
#endif
