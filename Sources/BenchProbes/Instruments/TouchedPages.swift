import Basics
import BenchResults

#if os(Linux)
  /// The pages of a folder's files that the process looks at: those that it references in mappings of
  /// them, and what it fetches by read calls, in whole pages.
  ///
  /// Source: proc(5). 1 written to `/proc/[pid]/clear_refs` makes the kernel forget which pages were
  /// referenced, and `Referenced` of each mapping in `/proc/[pid]/smaps` says what was since. Pages of
  /// mappings that there are at the beginning are mapped in first (madvise(2), MADV_POPULATE_READ), since
  /// with a page that is not the kernel maps its neighbours, up to 64 KiB, as if they were looked at. Of
  /// a file that is mapped later such neighbours count, and of one that is both mapped and read by calls
  /// perhaps all of a large folio: so it is not exact. Writes through a mapping count as looks.
  ///
  /// The processor notes a reference only when it fetches an address into its translation cache (TLB), and
  /// the kernel leaves the cache as it is when it forgets, so what was looked at shortly before would not
  /// count again: ``begin()`` has the cache emptied.
  package final class TouchedPages: Instrument {
    private let io: FileIO
    private let references: Int32
    private let folder: String
    private var isClear = false

    /// Opens what is to be read and written.
    ///
    /// - Parameter folder: files in it count, however deep.
    /// - Throws: ``Unsupported`` where the kernel does not tell, or there is no such folder.
    package init(of folder: String) throws(Unsupported) {
      guard let path = resolvedPath(folder) else { throw .systemError("no folder \(folder)") }
      self.folder = path.hasSuffix("/") ? path : path + "/"
      io = try FileIO()
      references = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC)
      guard references >= 0 else { throw .systemError("cannot open /proc/self/clear_refs") }
      guard Mapping.all() != nil else { throw .systemError("cannot read /proc/self/smaps") }
      guard forgetReferences() else {
        throw .systemError("the kernel does not forget which pages were referenced")
      }
    }

    deinit {
      if references >= 0 { close(references) }
    }

    package var metrics: [Metric] { Probe.touchedPages.metrics }

    /// Has the kernel forget which pages were looked at before.
    package func begin() {
      for mapping in Mapping.all() ?? [] where mapping.path.hasPrefix(folder) {
        let start = UnsafeMutableRawPointer(bitPattern: mapping.start)
        // What lies beyond the end of the file cannot be mapped in, and what lies before it was.
        _ = madvise(start, mapping.end - mapping.start, Self.populateRead)
      }
      isClear = forgetReferences() && forgetTranslations()
      io.begin()
    }

    /// Reads the counters of read calls; the mappings are looked at in ``store(into:)``.
    package func end() { io.end() }

    /// Writes the bytes of the pages referenced, and of those read.
    package func store(into values: UnsafeMutablePointer<Double>) {
      let mappings = isClear ? Mapping.all() : nil
      guard let mappings else {
        values[0] = .nan
        return
      }
      let referenced = mappings.filter { $0.path.hasPrefix(folder) }.map(\.referenced).reduce(0, +)
      values[0] = Double(referenced) + Self.inWholePages(io.bytesRead)
    }

    private static func inWholePages(_ bytes: Double) -> Double {
      let page = Double(sysconf(Int32(_SC_PAGESIZE)))
      return (bytes / page).rounded(.up) * page
    }

    private func forgetReferences() -> Bool {
      var command = UInt8(ascii: "1")
      return pwrite(references, &command, 1, 0) == 1
    }

    /// Empties the processor's translation cache of this process: the kernel does where a range of more
    /// than 33 pages that are in memory is unmapped (`tlb_single_page_flush_ceiling`).
    private func forgetTranslations() -> Bool {
      let size = 256 * sysconf(Int32(_SC_PAGESIZE))
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE)
      guard let pages = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), pages != MAP_FAILED
      else { return false }
      return munmap(pages, size) == 0
    }

    /// MADV_POPULATE_READ of linux/mman.h, which older C libraries do not name.
    private static let populateRead: Int32 = 22
  }

  /// A mapping of a file in this process's memory, as `/proc/self/smaps` tells of it.
  private struct Mapping {
    let start: Int
    let end: Int
    /// The file's path, with ` (deleted)` behind it where it has none any more.
    let path: String
    /// Bytes of pages referenced.
    var referenced = 0

    /// Every mapping of a file; nil where the system does not say.
    static func all() -> [Mapping]? {
      guard let text = TextFile.read("/proc/self/smaps") else { return nil }
      var mappings: [Mapping] = []
      var isFile = false
      for line in text.split(separator: "\n") {
        if line.first?.isUppercase == true {
          guard isFile, line.hasPrefix("Referenced:") else { continue }
          let kibibytes = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
          guard let kibibytes else { return nil }
          mappings[mappings.count - 1].referenced = kibibytes * 1_024
        } else {
          let mapping = Mapping(line)
          isFile = mapping != nil
          mapping.map { mappings.append($0) }
        }
      }
      return mappings
    }

    /// Reads the first line of a mapping: `7f0000-7f1000 r--p 00000000 08:01 42 /path`; nil where it is
    /// of no file.
    private init?(_ line: Substring) {
      guard let slash = line.firstIndex(of: "/") else { return nil }
      let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      guard range.count == 2 else { return nil }
      (start, end) = (range[0], range[1])
      path = String(line[slash...])
    }
  }
#else
  /// Nothing but Linux tells which pages of a mapped file were looked at.
  package final class TouchedPages: Instrument {
    /// - Throws: ``Unsupported``, always.
    package init(of folder: String) throws(Unsupported) {
      throw Unsupported("this system does not tell which pages of a mapped file were looked at")
    }

    package var metrics: [Metric] { Probe.touchedPages.metrics }
    package func begin() {}
    package func end() {}
    package func store(into values: UnsafeMutablePointer<Double>) { values[0] = .nan }
  }
#endif
