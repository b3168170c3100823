import Basics
import BenchResults

#if os(Linux)
  /// The pages of a folder's files that the process uses: those that it references in mappings, and
  /// those that it reads by read calls, in whole pages.
  ///
  /// Source: proc(5). Writing 1 to `/proc/[pid]/clear_refs` makes the kernel forget which pages were
  /// referenced. `Referenced` of each mapping in `/proc/[pid]/smaps` then shows what was referenced since.
  /// When the kernel maps a page in, it maps up to 64 KiB of neighbours, as if they were referenced too.
  /// Existing mappings are therefore mapped in first (madvise(2), MADV_POPULATE_READ). The count is not
  /// exact: neighbours count in files mapped later. In a file that is both mapped and read by calls, all
  /// of a large folio may count. Writes through a mapping count as references.
  ///
  /// The processor records a reference only when it loads an address into its translation cache
  /// (TLB). The kernel does not flush this cache when it forgets the references, so pages used
  /// shortly before would not count again. ``begin()`` therefore empties the cache.
  package final class TouchedPages: Instrument {
    private let io: FileIO
    private let references: Int32
    private let folder: String
    private var isClear = false

    /// Opens the files of `/proc` and checks that the kernel supports them.
    ///
    /// - Parameter folder: the folder whose files count, at any depth.
    /// - Throws: ``Unsupported`` if the kernel does not support it or the folder does not exist.
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

    /// Makes the kernel forget which pages were referenced before.
    package func begin() {
      for mapping in Mapping.all() ?? [] where mapping.path.hasPrefix(folder) {
        let start = UnsafeMutableRawPointer(bitPattern: mapping.start)
        // Fails beyond the end of the file, but only after mapping the pages before it.
        _ = madvise(start, mapping.end - mapping.start, Self.populateRead)
      }
      isClear = forgetReferences() && forgetTranslations()
      io.begin()
    }

    /// Reads the counters of read calls. ``store(into:)`` reads the mappings.
    package func end() { io.end() }

    /// Writes the bytes of all referenced and read pages.
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

    /// Empties the translation cache for this process. The kernel flushes it when more than 33
    /// resident pages are unmapped at once (`tlb_single_page_flush_ceiling`).
    private func forgetTranslations() -> Bool {
      let size = 256 * sysconf(Int32(_SC_PAGESIZE))
      let flags = MAP_PRIVATE | MAP_ANONYMOUS | Int32(MAP_POPULATE)
      guard let pages = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0), pages != MAP_FAILED
      else { return false }
      return munmap(pages, size) == 0
    }

    /// MADV_POPULATE_READ of linux/mman.h, which older C libraries do not define.
    private static let populateRead: Int32 = 22
  }

  /// A mapping of a file in this process's memory, read from `/proc/self/smaps`.
  private struct Mapping {
    let start: Int
    let end: Int
    /// The file's path, followed by ` (deleted)` if the file was removed.
    let path: String
    /// The bytes of referenced pages.
    var referenced = 0

    /// Returns every mapping of a file, or nil if the system does not list them.
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

    /// Parses the first line of a mapping: `7f0000-7f1000 r--p 00000000 08:01 42 /path`. Returns
    /// nil if it does not map a file.
    private init?(_ line: Substring) {
      guard let slash = line.firstIndex(of: "/") else { return nil }
      let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
      guard range.count == 2 else { return nil }
      (start, end) = (range[0], range[1])
      path = String(line[slash...])
    }
  }
#else
  /// A stand-in: only Linux reports which pages of a mapped file were referenced.
  package final class TouchedPages: Instrument {
    /// - Throws: ``Unsupported``, always.
    package init(of folder: String) throws(Unsupported) {
      throw Unsupported("this system does not report which pages of a mapped file were read")
    }

    package var metrics: [Metric] { Probe.touchedPages.metrics }
    package func begin() {}
    package func end() {}
    package func store(into values: UnsafeMutablePointer<Double>) { values[0] = .nan }
  }
#endif
