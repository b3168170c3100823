import Basics
import Foundation

/// The functions of an executable or library, by where they lie in its file's address space.
///
/// Source: the ELF-64 object file format (refspecs.linuxbase.org/elf), of the machine's own byte order.
/// Debian's libraries are stripped of all but what they export; where the matching file of symbols is
/// installed beside them (`/usr/lib/debug/.build-id`, as gdb looks for it), it is read instead.
struct ELFSymbols {
  /// A function.
  struct Function {
    var address: UInt64
    var size: UInt64
    /// Where its name begins, in the file that ``file`` says.
    var name: Int
    /// 0 for the file itself, 1 for that of its symbols.
    var file = 0
  }

  /// A part of the file that is loaded into memory.
  struct Segment {
    var offset: UInt64
    var address: UInt64
    var size: UInt64
  }

  /// What is loaded.
  let segments: [Segment]
  private let files: [ELFFile]
  /// Functions by address, of several at one place the one with a size first.
  private let functions: [Function]

  /// Reads where a file's functions are; nil where it is no ELF-64 file of this byte order.
  init?(path: String) {
    guard let file = Self.file(path) else { return nil }
    segments = file.segments
    files = [file] + (file.buildID.flatMap(Self.symbolFile).map { [$0] } ?? [])
    functions = files.enumerated().flatMap { index, file in
      file.functions().map { function in
        var function = function
        function.file = index
        return function
      }
    }.sorted {
      $0.address != $1.address
        ? $0.address < $1.address : ($1.size, $0.file, $0.name) < ($0.size, $1.file, $1.name)
    }
  }

  /// The name of the function that an address lies in; nil where none with a name does.
  func function(at address: UInt64) -> String? {
    var (low, high) = (0, functions.count)
    while low < high {
      let middle = (low + high) / 2
      if functions[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0 else { return nil }
    var place = low - 1
    while place > 0, functions[place - 1].address == functions[place].address { place -= 1 }
    let found = functions[place]
    // What assembler wrote has no size: it reaches to the next.
    guard found.size == 0 || address - found.address < found.size else { return nil }
    return files[found.file].text(at: found.name)
  }

  /// The names of all functions, as they are written.
  var names: [String] { functions.compactMap { files[$0.file].text(at: $0.name) } }

  private static func file(_ path: String) -> ELFFile? {
    (try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped)).flatMap(ELFFile.init)
  }

  private static func symbolFile(of id: String) -> ELFFile? {
    file("/usr/lib/debug/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug")
  }
}

/// The parts of an ELF-64 file that say which functions there are.
private struct ELFFile {
  private let bytes: Data

  private struct Section {
    var type: UInt32
    var offset: Int
    var size: Int
    var link: Int
    var entry: Int
  }

  init?(_ bytes: Data) {
    guard bytes.count > 64, bytes.prefix(4) == Data([0x7f, 0x45, 0x4c, 0x46]), bytes[4] == 2,
      bytes[5] == 1
    else { return nil }
    self.bytes = bytes
  }

  var segments: [ELFSymbols.Segment] {
    headers(at: word(32), size: half(54), count: half(56)).compactMap { header in
      guard inBounds(header, 56), single(header) == 1 else { return nil }
      return ELFSymbols.Segment(
        offset: word(header + 8), address: word(header + 16), size: word(header + 40))
    }
  }

  /// Of the whole table of symbols, and of what is exported.
  func functions() -> [ELFSymbols.Function] {
    let sections = sections
    return sections.filter { $0.type == 2 || $0.type == 11 }.flatMap { table in
      guard table.entry >= 24, sections.indices.contains(table.link) else {
        return [ELFSymbols.Function]()
      }
      return functions(table, names: sections[table.link])
    }
  }

  private func functions(_ table: Section, names: Section) -> [ELFSymbols.Function] {
    guard inBounds(table.offset, table.size), inBounds(names.offset, names.size) else { return [] }
    return bytes.withUnsafeBytes { bytes in
      var found: [ELFSymbols.Function] = []
      for symbol in stride(
        from: table.offset, to: table.offset + table.size / table.entry * table.entry,
        by: table.entry)
      {
        // A function, or one that is chosen when it is first called; and one that is in this file.
        let kind = bytes[symbol + 4] & 0xf
        let name = bytes.loadUnaligned(fromByteOffset: symbol, as: UInt32.self)
        guard kind == 2 || kind == 10, name > 0, name < names.size,
          bytes.loadUnaligned(fromByteOffset: symbol + 6, as: UInt16.self) != 0
        else { continue }
        found.append(
          ELFSymbols.Function(
            address: bytes.loadUnaligned(fromByteOffset: symbol + 8, as: UInt64.self),
            size: bytes.loadUnaligned(fromByteOffset: symbol + 16, as: UInt64.self),
            name: names.offset + Int(name)))
      }
      return found
    }
  }

  /// A text that a 0 ends; nil where none does.
  func text(at start: Int) -> String? {
    guard inBounds(start, 1), let end = bytes[start...].firstIndex(of: 0) else { return nil }
    return String(decoding: bytes[start..<end], as: UTF8.self)
  }

  /// The number by which a file of symbols is found.
  var buildID: String? {
    for note in sections where note.type == 7 && inBounds(note.offset, max(note.size, 16)) {
      let (name, size) = (Int(single(note.offset)), Int(single(note.offset + 4)))
      let start = note.offset + 12 + (name + 3) / 4 * 4
      guard single(note.offset + 8) == 3, name == 4, size > 2, inBounds(start, size) else {
        continue
      }
      return bytes[start..<start + size].map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }
    return nil
  }

  private var sections: [Section] {
    headers(at: word(40), size: half(58), count: half(60)).compactMap { header in
      guard inBounds(header, 64) else { return nil }
      return Section(
        type: single(header + 4), offset: Int(clamping: word(header + 24)),
        size: Int(clamping: word(header + 32)), link: Int(single(header + 40)),
        entry: Int(clamping: word(header + 56)))
    }
  }

  /// Where the headers of a table are; none of a table that the file does not hold.
  private func headers(at start: UInt64, size: UInt16, count: UInt16) -> [Int] {
    guard start <= bytes.count else { return [] }
    return (0..<Int(count)).map { Int(start) + $0 * Int(size) }
  }

  private func inBounds(_ offset: Int, _ count: Int) -> Bool {
    offset >= 0 && count >= 0 && offset <= bytes.count && count <= bytes.count - offset
  }

  private func number<Number: FixedWidthInteger>(_ offset: Int, as _: Number.Type) -> Number {
    guard inBounds(offset, MemoryLayout<Number>.size) else { return 0 }
    return bytes.withUnsafeBytes {
      Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self))
    }
  }

  private func half(_ offset: Int) -> UInt16 { number(offset, as: UInt16.self) }
  private func single(_ offset: Int) -> UInt32 { number(offset, as: UInt32.self) }
  private func word(_ offset: Int) -> UInt64 { number(offset, as: UInt64.self) }
}
