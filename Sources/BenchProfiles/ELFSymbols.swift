import Basics
import Foundation

#if canImport(Glibc)
  /// The functions of an executable or library, by where they lie in its file.
  ///
  /// Source: the ELF-64 object file format (refspecs.linuxbase.org/elf), of the machine's own byte order.
  /// Debian's libraries are stripped of all but what they export; where the matching file of symbols is
  /// installed beside them (`/usr/lib/debug/.build-id`, as gdb looks for it), it is read instead.
  struct ELFSymbols {
    fileprivate struct Function {
      /// In memory, as the file means it.
      var address, size: UInt64
      /// Where its name begins.
      var name: Int
      /// In which of the files.
      var file: Int
    }

    /// The file itself, and that of its symbols.
    private let files: [ELFFile]
    /// Functions by address, of several at one place the one with a size first.
    private let functions: [Function]

    /// Reads where a file's functions are; nil where it is no ELF-64 file of this byte order.
    init?(path: String) {
      guard let file = ELFFile(path) else { return nil }
      let symbols = file.buildID.flatMap { id in
        ELFFile("/usr/lib/debug/.build-id/\(id.prefix(2))/\(id.dropFirst(2)).debug")
      }
      files = [file, symbols].compactMap { $0 }
      functions = files.indices.flatMap { [files] in files[$0].functions(of: $0) }.sorted {
        $0.address != $1.address
          ? $0.address < $1.address : ($1.size, $0.file, $0.name) < ($0.size, $1.file, $1.name)
      }
    }

    /// The name of the function that lies at a place in the file; nil where none with a name does.
    func function(at place: UInt64) -> String? {
      guard
        let segment = files[0].segments.first(where: {
          place >= $0.p_offset && place - $0.p_offset < $0.p_memsz
        })
      else { return nil }
      let address = place - segment.p_offset &+ segment.p_vaddr
      guard var index = functions.last(upTo: address, by: \.address) else { return nil }
      while index > 0, functions[index - 1].address == functions[index].address { index -= 1 }
      let found = functions[index]
      // What assembler wrote has no size: it reaches to the next.
      guard found.size == 0 || address - found.address < found.size else { return nil }
      return files[found.file].text(at: found.name)
    }

    /// The names of all functions, as they are written.
    var names: [String] { functions.compactMap { files[$0.file].text(at: $0.name) } }
  }

  /// The parts of an ELF-64 file that say which functions there are.
  private struct ELFFile {
    private let bytes: Data
    /// What is loaded into memory.
    let segments: [Elf64_Phdr]
    private let sections: [Elf64_Shdr]

    init?(_ path: String) {
      guard let bytes = try? Data(contentsOf: URL(filePath: path), options: .alwaysMapped),
        // Its mark, of 64 bits, of this byte order.
        bytes.starts(with: [0x7f, 0x45, 0x4c, 0x46, 2, 1]),
        let header = bytes.list(of: Elf64_Ehdr.self, at: 0, count: 1).first
      else { return nil }
      self.bytes = bytes
      segments = bytes.list(of: Elf64_Phdr.self, at: header.e_phoff, count: UInt64(header.e_phnum))
        .filter { $0.p_type == PT_LOAD }
      sections = bytes.list(of: Elf64_Shdr.self, at: header.e_shoff, count: UInt64(header.e_shnum))
    }

    /// Of the whole table of symbols, and of what is exported.
    func functions(of file: Int) -> [ELFSymbols.Function] {
      let tables = sections.filter { $0.sh_type == SHT_SYMTAB || $0.sh_type == SHT_DYNSYM }
      return tables.flatMap { table -> [ELFSymbols.Function] in
        guard sections.indices.contains(Int(table.sh_link)) else { return [] }
        let names = sections[Int(table.sh_link)]
        let count = table.sh_size / UInt64(MemoryLayout<Elf64_Sym>.size)
        let symbols = bytes.list(of: Elf64_Sym.self, at: table.sh_offset, count: count)
        return symbols.compactMap { symbol in
          let kind = Int32(symbol.st_info & 0xf)
          // A function, or one that is chosen when it is first called; and one that is in this file.
          guard kind == STT_FUNC || kind == STT_GNU_IFUNC, symbol.st_shndx != 0,
            symbol.st_name > 0, symbol.st_name < names.sh_size
          else { return nil }
          return ELFSymbols.Function(
            address: symbol.st_value, size: symbol.st_size,
            name: Int(clamping: names.sh_offset &+ UInt64(symbol.st_name)), file: file)
        }
      }
    }

    /// A text that a 0 ends; nil where none does.
    func text(at start: Int) -> String? {
      guard bytes.indices.contains(start), let end = bytes[start...].firstIndex(of: 0) else {
        return nil
      }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// The number by which a file of symbols is found.
    var buildID: String? {
      for section in sections where section.sh_type == SHT_NOTE {
        let start = section.sh_offset
        // `GNU` and its 0 are the name of the note, and stand before what it says.
        guard let note = bytes.list(of: Elf64_Nhdr.self, at: start, count: 1).first,
          note.n_type == NT_GNU_BUILD_ID, note.n_namesz == 4, note.n_descsz > 2
        else { continue }
        let id = bytes.list(of: UInt8.self, at: start + 16, count: UInt64(note.n_descsz))
        if !id.isEmpty { return id.map { String(format: "%02x", $0) }.joined() }
      }
      return nil
    }
  }

  extension Data {
    /// Values of C that stand one after the other; none of a list that goes beyond the end.
    fileprivate func list<Value: BitwiseCopyable>(
      of _: Value.Type, at start: UInt64, count: UInt64
    ) -> [Value] {
      let size = MemoryLayout<Value>.stride
      guard start <= self.count, count <= (self.count - Int(start)) / size else { return [] }
      return withUnsafeBytes { bytes in
        (0..<Int(count)).map {
          bytes.loadUnaligned(fromByteOffset: Int(start) + $0 * size, as: Value.self)
        }
      }
    }
  }
#else
  /// Elsewhere files are of other formats, and nothing takes the addresses of functions.
  struct ELFSymbols {
    init?(path: String) { nil }
    func function(at place: UInt64) -> String? { nil }
  }
#endif

extension Array {
  /// The last element, of those in order by a key, whose key is at most a bound; nil where none is.
  func last(upTo bound: UInt64, by key: (Element) -> UInt64) -> Int? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if key(self[middle]) <= bound { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
