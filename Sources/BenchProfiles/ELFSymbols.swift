import Foundation
import Synchronization

/// The functions of an executable or library, by where they lie in its file, as readelf of binutils lists them.
/// Debian's libraries are stripped of all but what they export.
struct ELFSymbols {
  /// What is loaded into memory.
  private var segments: [(offset: UInt64, address: UInt64, size: UInt64)] = []
  /// By address in memory, as the file means it; of several at one place the largest.
  private(set) var functions: [(address: UInt64, size: UInt64, name: Substring)] = []

  /// Those that were read already, by the files' paths: of a large program it takes half a second.
  private static let kept = Mutex<[String: ELFSymbols]>([:])

  static func of(_ path: String) -> ELFSymbols {
    if let known = kept.withLock({ $0[path] }) { return known }
    let symbols = ELFSymbols(path: path)
    kept.withLock { $0[path] = symbols }
    return symbols
  }

  /// Whether there is a readelf.
  static let canBeRead = !readelf("--version").isEmpty

  /// Reads where a file's functions are; what is no ELF file has none.
  init(path: String) {
    var found: [UInt64: (size: UInt64, name: Substring)] = [:]
    // By bytes, since by characters it takes many times as long.
    for line in Self.readelf("-lsW", path).utf8.split(separator: UInt8(ascii: "\n")) {
      let words = line.split(separator: UInt8(ascii: " "), maxSplits: 8).map { Substring($0) }
      if words.count > 7, ["FUNC", "IFUNC"].contains(words[3]), words[6] != "UND" {
        let address = Self.hex(words[1])
        let size = UInt64(words[2]) ?? Self.hex(words[2])
        guard found[address].map({ $0.size < size }) ?? true else { continue }
        // `puts@@GLIBC_2.2.5`
        let name = words[7].utf8.prefix { $0 != UInt8(ascii: "@") }
        found[address] = (size, Substring(name))
      } else if words.count > 5, words[0] == "LOAD" {
        segments.append((Self.hex(words[1]), Self.hex(words[2]), Self.hex(words[5])))
      }
    }
    functions = found.map { ($0, $1.size, $1.name) }.sorted { $0.0 < $1.0 }
  }

  /// The name of the function that lies at a place in the file; nil where none with a name does.
  func function(at place: UInt64) -> String? {
    guard
      let segment = segments.first(where: { place >= $0.offset && place - $0.offset < $0.size })
    else { return nil }
    let address = place - segment.offset &+ segment.address
    // The last that begins there or before.
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let found = functions[low - 1]
    // What assembler wrote has no size: it reaches to the next.
    guard found.size == 0 || address - found.address < found.size else { return nil }
    return String(found.name)
  }

  private static func hex(_ text: Substring) -> UInt64 {
    UInt64(text.hasPrefix("0x") ? text.dropFirst(2) : text, radix: 16) ?? 0
  }

  private static func readelf(_ arguments: String...) -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["LC_ALL=C", "readelf"] + arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil,
      let said = try? output.fileHandleForReading.readToEnd()
    else { return "" }
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self)
  }
}
