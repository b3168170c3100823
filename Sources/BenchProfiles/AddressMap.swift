import BenchResults
import Foundation

/// What the addresses of a process are of: its executable and libraries, by /proc/self/maps (proc(5)).
package final class AddressMap {
  /// A stretch of memory with a file's content.
  private struct Mapping {
    var range: Range<UInt64>
    var offset: UInt64
    var path: String
  }

  private let mappings: [Mapping]
  private let executable: String
  /// The path by which the executable can still be read, where that in the map is the process's own.
  private let readable: String?
  private var files: [String: ELFSymbols?] = [:]
  private var frames: [UInt64: Profile.Frame] = [:]

  /// - Parameters:
  ///   - maps: the text of /proc/PID/maps.
  ///   - executable: the executable's path in it.
  ///   - readable: where to read the executable, where not there.
  package init(maps: String, executable: String, readable: String? = nil) {
    mappings = maps.split(separator: "\n").compactMap(Self.mapping)
      .sorted { $0.range.lowerBound < $1.range.lowerBound }
    self.executable = executable
    self.readable = readable
  }

  /// The packages that storages here are written with.
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
    guard let index = mappings.last(upTo: address, by: \.range.lowerBound),
      mappings[index].range.contains(address)
    else {
      return Profile.Frame(name: "unknown", module: "unknown", owner: .library, isNamed: false)
    }
    let mapping = mappings[index]
    let file = mapping.path.split(separator: "/").last.map(String.init) ?? mapping.path
    let place = address - mapping.range.lowerBound &+ mapping.offset
    let function = symbols(of: mapping.path)?.function(at: place).map(FunctionNames.readable)
    return Self.frame(
      name: function?.name ?? "\(file)+0x\(String(place, radix: 16))", module: function?.module,
      file: file, isProgram: mapping.path == executable, isNamed: function != nil)
  }

  /// A function by its name, its module where that is known, and the file that it is in.
  static func frame(
    name: String, module: String?, file: String, isProgram: Bool, isNamed: Bool
  ) -> Profile.Frame {
    Profile.Frame(
      name: name, module: isProgram ? module ?? file : file,
      owner: isProgram ? owner(ofModule: module) : owner(ofLibrary: file), isNamed: isNamed)
  }

  /// Whose a function of the executable is: code of the standard library is there where it was
  /// specialised for a type of the program's.
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

  private func symbols(of path: String) -> ELFSymbols? {
    if let known = files[path] { return known }
    let symbols = ELFSymbols(path: path == executable ? readable ?? path : path)
    files[path] = symbols
    return symbols
  }

  /// `7f12a000-7f12b000 r-xp 00002000 fe:00 1234   /usr/lib/libx.so`
  private static func mapping(_ line: Substring) -> Mapping? {
    let parts = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
    guard parts.count == 6, parts[1].contains("x") else { return nil }
    let ends = parts[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
    guard ends.count == 2, ends[0] < ends[1], let offset = UInt64(parts[2], radix: 16) else {
      return nil
    }
    return Mapping(
      range: ends[0]..<ends[1], offset: offset,
      path: parts[5].trimmingCharacters(in: .whitespaces))
  }
}
