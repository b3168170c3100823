import BenchResults
import Foundation

/// Maps addresses of a process to functions of its executable and libraries, by /proc/self/maps (proc(5)).
package final class AddressMap {
  /// The memory ranges that hold code from files.
  private let mappings: [(range: Range<UInt64>, offset: UInt64, path: String)]
  private let executable: String
  /// The path to read the executable from, if it is not the path in the map.
  private let readable: String?
  private var frames: [UInt64: Profile.Frame] = [:]

  /// - Parameters:
  ///   - maps: the text of /proc/PID/maps.
  ///   - executable: the executable's path in that text.
  ///   - readable: where to read the executable, if not at that path.
  package init(maps: String, executable: String, readable: String? = nil) {
    // `7f12a000-7f12b000 r-xp 00002000 fe:00 1234   /usr/lib/libx.so`
    mappings = maps.split(separator: "\n").compactMap { line in
      guard let found = line.wholeMatch(of: /(\w+)-(\w+) ..x. (\w+) \S+ \S+ +(\S.*)/),
        let start = UInt64(found.1, radix: 16), let end = UInt64(found.2, radix: 16), start < end,
        let offset = UInt64(found.3, radix: 16)
      else { return nil }
      return (start..<end, offset, String(found.4))
    }
    self.executable = executable
    self.readable = readable
  }

  /// The packages that the backends here are written with.
  private static let packages: Set = [
    "GRDB", "SwiftProtobuf", "ArgumentParser", "Subprocess", "SystemPackage",
  ]

  package func frame(at address: UInt64) -> Profile.Frame {
    if let known = frames[address] { return known }
    let frame = lookUp(address)
    frames[address] = frame
    return frame
  }

  private func lookUp(_ address: UInt64) -> Profile.Frame {
    guard let mapping = mappings.first(where: { $0.range.contains(address) }) else {
      return Profile.Frame(name: "unknown", module: "unknown", owner: .library, isNamed: false)
    }
    let file = mapping.path.split(separator: "/").last.map(String.init) ?? mapping.path
    let place = address - mapping.range.lowerBound &+ mapping.offset
    let isProgram = mapping.path == executable
    let symbols = ELFSymbols.of(isProgram ? readable ?? mapping.path : mapping.path)
    let function = symbols.function(at: place).map(FunctionNames.readable)
    return Self.frame(
      name: function?.name ?? "\(file)+0x\(String(place, radix: 16))", module: function?.module,
      file: file, isProgram: isProgram, isNamed: function != nil)
  }

  /// Returns the frame of a function by name, module if known, and the file that contains it.
  static func frame(
    name: String, module: String?, file: String, isProgram: Bool, isNamed: Bool
  ) -> Profile.Frame {
    Profile.Frame(
      name: name, module: isProgram ? module ?? file : file,
      owner: isProgram ? owner(ofModule: module) : owner(ofLibrary: file), isNamed: isNamed)
  }

  /// Returns the owner of a function in the executable. Code of the standard library is there, too,
  /// if it was specialised for a type of the program.
  private static func owner(ofModule module: String?) -> Profile.Owner {
    switch module {
    case "Swift", "_Concurrency", "Synchronization": .swift
    case "Foundation", "FoundationEssentials", "FoundationInternationalization": .foundation
    case let module? where packages.contains(module): .library
    default: .program
    }
  }

  private static func owner(ofLibrary file: String) -> Profile.Owner {
    let systems = [
      "libc.so", "libc-", "libm.so", "ld-linux", "libpthread", "libgcc_s", "libjemalloc", "[vdso]",
      "libdl", "librt",
    ]
    if systems.contains(where: { file.hasPrefix($0) }) { return .system }
    if file.hasPrefix("libFoundation") || file.hasPrefix("lib_Foundation") { return .foundation }
    if file.hasPrefix("libswift") || file.hasPrefix("libdispatch") || file.hasPrefix("libstdc++") {
      return .swift
    }
    return .library
  }
}
