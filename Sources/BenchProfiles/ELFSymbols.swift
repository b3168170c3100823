import Foundation
import Synchronization

/// The functions of an executable or library by their place in the file, as readelf of binutils
/// lists them. Debian's libraries only have the functions that they export.
struct ELFSymbols {
  /// The parts of the file that are loaded into memory.
  private var segments: [(offset: UInt64, address: UInt64, size: UInt64)] = []
  /// The functions by their address in memory. If several share one, only the largest is kept.
  private(set) var functions: [(address: UInt64, size: UInt64, name: Substring)] = []

  /// The symbols read so far, by path, because a large program takes half a second.
  private static let kept = Mutex<[String: ELFSymbols]>([:])

  static func of(_ path: String) -> ELFSymbols {
    if let known = kept.withLock({ $0[path] }) { return known }
    let symbols = ELFSymbols(path: path)
    kept.withLock { $0[path] = symbols }
    return symbols
  }

  /// Whether readelf is installed.
  static let canBeRead = !readelf("--version").isEmpty

  /// Reads the functions of a file. A file in another format has none.
  init(path: String) {
    var found: [UInt64: (size: UInt64, name: Substring)] = [:]
    // Split bytes, because splitting characters takes many times as long.
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

  /// Returns the name of the function at a place in the file, or nil if none is there.
  func function(at place: UInt64) -> String? {
    guard
      let segment = segments.first(where: { place >= $0.offset && place - $0.offset < $0.size })
    else { return nil }
    let address = place - segment.offset &+ segment.address
    // Find the last function that begins at the address or before it.
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    let found = functions[low - 1]
    // A function written in assembler has no size. It extends to the next function.
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
