import Basics
import BenchResults
import CProfiler

/// The shared library of jemalloc, which counts the allocations of a process started with it.
///
/// Nothing links it: times are those of the system's malloc, and a counted worker is the same
/// executable started with the library preloaded.
package enum JemallocLibrary {
  #if canImport(Darwin)
    private static let name = "libjemalloc.2.dylib"
    private static let preload = "DYLD_INSERT_LIBRARIES"
    private static let pathVariable = "DYLD_LIBRARY_PATH"
    private static let separator = ":"
    private static let package = "brew install jemalloc"
    private static let folders = ["/opt/homebrew/lib", "/usr/local/lib"]
  #else
    private static let name = "libjemalloc.so.2"
    private static let preload = "LD_PRELOAD"
    private static let pathVariable = "LD_LIBRARY_PATH"
    private static let separator = " "
    private static let package = "apt-get install libjemalloc-dev"
    private static let folders = [
      "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/local/lib", "/usr/lib64",
      "/usr/lib",
    ]
  #endif

  /// Where it is installed; nil where it is in none of its usual places.
  package static let path: String? = {
    let own = getenv(pathVariable).map { String(cString: $0) } ?? ""
    let all = own.split(separator: ":").map(String.init) + folders
    return all.map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
  }()

  /// Why a process has no counts of allocations that was not started with the library.
  package static var absence: String {
    path == nil
      ? "no \(name) to count by: \(package)" : "this process was started without \(name)"
  }

  /// What to start a process with that is to count; nothing where the library is not installed.
  ///
  /// A library that the user has preloaded stays, behind jemalloc. Without a thread's own cache every
  /// allocation is in the statistics at once; with an arena for each thread it shows who allocated,
  /// large blocks included, which would otherwise share an arena.
  ///
  /// On Apple's systems by Homebrew's library, which nobody has tried.
  /// - Parameter environment: the user's own.
  package static func variables(_ environment: [String: String]) -> [String: String] {
    guard let path else { return [:] }
    return [
      preload: ([path] + [environment[preload]].compactMap(\.self)).joined(separator: separator),
      "MALLOC_CONF": "tcache:false,narenas:64,oversize_threshold:0",
    ]
  }

  /// What to start a process with whose allocations are to be followed, one by one; nothing where the
  /// library is not installed.
  package static func profilingVariables(_ environment: [String: String]) -> [String: String] {
    variables(environment).merging([
      "MALLOC_CONF": "prof:true,prof_active:false,lg_prof_sample:0,prof_accum:true"
    ]) { $1 }
  }
}

/// The functions by which a jemalloc that was loaded before this program is asked.
private enum MallocControl {
  typealias Look = @convention(c) (UnsafePointer<CChar>, Path, UnsafeMutablePointer<Int>) -> Int32
  typealias Ask =
    @convention(c) (
      Path, Int, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?, UnsafeMutableRawPointer?, Int
    ) -> Int32
  typealias Path = UnsafeMutablePointer<Int>

  static let look = LoadedSymbol.find(String(cString: jemalloc_look_name()), as: Look.self)
  static let ask = LoadedSymbol.find(String(cString: jemalloc_ask_name()), as: Ask.self)
}

/// One entry of jemalloc's control tree, its name looked up once.
final class JemallocControl {
  private let path: UnsafeMutablePointer<Int>
  private var length = JemallocControl.deepest
  private let ask: MallocControl.Ask

  private static let deepest = 8

  /// Looks the name up.
  ///
  /// - Throws: ``Unsupported`` if this process has no jemalloc, or one that does not know the name.
  init(_ name: String) throws(Unsupported) {
    guard let look = MallocControl.look, let ask = MallocControl.ask else {
      throw Unsupported(JemallocLibrary.absence)
    }
    self.ask = ask
    path = .allocate(capacity: Self.deepest)
    path.initialize(repeating: 0, count: Self.deepest)
    let code = look(name, path, &length)
    guard code == 0 else { throw .systemError("jemalloc has no \(name)", code: code) }
  }

  deinit { path.deallocate() }

  /// The entry's value, of the type that it has; nil if it has none of that size.
  func read<Value: BitwiseCopyable>(_ value: Value) -> Value? {
    var value = value
    var size = MemoryLayout<Value>.size
    let code = withUnsafeMutableBytes(of: &value) {
      ask(path, length, $0.baseAddress, &size, nil, 0)
    }
    return code == 0 ? value : nil
  }

  /// The value of a counter or a size. Never allocates, as what is generic may where nobody optimised.
  func read() -> UInt64? {
    var value: UInt64 = 0
    var size = MemoryLayout<UInt64>.size
    return ask(path, length, &value, &size, nil, 0) == 0 ? value : nil
  }

  /// Sets the entry, and says whether that worked.
  func write(_ value: UInt64) -> Bool {
    var value = value
    return ask(path, length, nil, nil, &value, MemoryLayout<UInt64>.size) == 0
  }

  /// Sets an entry that is on or off, and says whether that worked.
  func write(flag: Bool) -> Bool {
    var flag = flag
    return ask(path, length, nil, nil, &flag, MemoryLayout<Bool>.size) == 0
  }

  /// Sets an entry that is a text, and says whether that worked.
  func write(text: String) -> Bool {
    text.withCString { start in
      var start = start
      return ask(path, length, nil, nil, &start, MemoryLayout<UnsafePointer<CChar>>.size) == 0
    }
  }

  /// Does what the entry stands for, and says whether that worked.
  @discardableResult
  func call() -> Bool { ask(path, length, nil, nil, nil, 0) == 0 }
}

/// jemalloc's counters of the whole process, in a process that ``JemallocLibrary`` was preloaded into.
///
/// Source: jemalloc(3), `stats.arenas.<i>.*` and `thread.*`. Allocations and bytes are exact: no
/// thread keeps a cache of its own whose requests would come later. The peak is of the calling thread,
/// and may be too low by up to ``peakResolution``; see ``resetPeak()`` for why it is nevertheless the
/// same whenever the same work is done.
package final class JemallocCounters: AllocatorCounters {
  /// How many bytes jemalloc hands out or takes back between two looks at the peak.
  ///
  /// `PEAK_EVENT_WAIT` in jemalloc's peak_event.c; a phase that allocates less may show a peak of 0.
  package static let peakResolution = Int(Metric.peakHeapResolution)

  /// All that is handed out in one size.
  private struct SizeClass {
    let bytes: UInt64
    let requests: JemallocControl
  }

  private let epoch: JemallocControl
  // No array: going through one allocates where nobody optimised.
  private let classes: UnsafeMutableBufferPointer<SizeClass>
  private let ownSmall: JemallocControl
  private let ownLarge: JemallocControl
  private let peak: JemallocControl
  private let peakReset: JemallocControl

  /// Looks the counters up, and makes sure that this jemalloc is what serves malloc.
  ///
  /// - Throws: ``Unsupported`` if it does not, was built without statistics, or keeps caches.
  package init() throws(Unsupported) {
    guard try JemallocControl("opt.tcache").read(true) == false else {
      throw Unsupported("this jemalloc keeps a cache for each thread, which hides allocations")
    }
    epoch = try JemallocControl("epoch")
    let classes =
      try Self.classes("bin", count: "arenas.nbins")
      + Self.classes("lextent", count: "arenas.nlextents")
    self.classes = .allocate(capacity: classes.count)
    _ = self.classes.initialize(from: classes)
    guard let own = try JemallocControl("thread.arena").read(UInt32(0)) else {
      throw Unsupported("jemalloc does not tell this thread's arena")
    }
    ownSmall = try JemallocControl("stats.arenas.\(own).small.nrequests")
    ownLarge = try JemallocControl("stats.arenas.\(own).large.nrequests")
    peak = try JemallocControl("thread.peak.read")
    peakReset = try JemallocControl("thread.peak.reset")
    guard let before = read() else { throw Unsupported("jemalloc does not give its statistics") }
    Self.allocateAndFree(1_000)
    guard let after = read(), after.ownAllocations > before.ownAllocations else {
      throw Unsupported("jemalloc is loaded but malloc is served by another allocator")
    }
  }

  deinit { classes.deinitialize().deallocate() }

  private static func classes(
    _ kind: String, count: String
  ) throws(Unsupported) -> [SizeClass] {
    guard let count = try JemallocControl(count).read(UInt32(0)) else {
      throw Unsupported("jemalloc does not tell its sizes")
    }
    var classes: [SizeClass] = []
    for index in 0..<count {
      guard let bytes = try JemallocControl("arenas.\(kind).\(index).size").read() else {
        throw Unsupported("jemalloc does not tell its sizes")
      }
      let requests = try JemallocControl(
        "stats.arenas.\(jemalloc_all_arenas()).\(kind)s.\(index).nrequests")
      classes.append(SizeClass(bytes: bytes, requests: requests))
    }
    return classes
  }

  /// Makes the bytes that are live now the level from which the peak is counted.
  ///
  /// A block larger than the resolution, taken and given back, makes jemalloc look at the peak, so
  /// that its next looks are counted from the same point of every phase.
  package func resetPeak() {
    Self.allocateAndFree(2 * Self.peakResolution)
    peakReset.call()
  }

  /// Reads the counters, which takes some 0.1 ms.
  package func read() -> AllocatorReading? {
    guard epoch.write(1), let peak = peak.read(), let small = ownSmall.read(),
      let large = ownLarge.read()
    else { return nil }
    var reading = AllocatorReading(
      allocations: 0, ownAllocations: small &+ large, allocatedBytes: 0, peakBytes: peak)
    var index = 0
    while index < classes.count {
      guard let requests = classes[index].requests.read() else { return nil }
      reading.allocations &+= requests
      reading.allocatedBytes &+= requests &* classes[index].bytes
      index += 1
    }
    return reading
  }

  /// The optimiser would otherwise remove an allocation that nobody uses.
  private static func allocateAndFree(_ bytes: Int) {
    let block = malloc(bytes)
    blackHole(block)
    free(block)
  }
}

enum AllocatorName {
  /// Its name, with its version where it says one.
  static var current: String {
    if let jemalloc { return jemalloc }
    #if canImport(Darwin)
      return "libmalloc"
    #elseif canImport(Glibc)
      // Not in what Swift imports.
      let version = LoadedSymbol.find(
        "gnu_get_libc_version", as: (@convention(c) () -> UnsafePointer<CChar>).self)
      return version.map { "glibc \(String(cString: $0()))" } ?? "glibc"
    #else
      return "musl"
    #endif
  }

  /// The version up to the git revision: `5.3.0-0-g54ea…` is 5.3.0.
  private static var jemalloc: String? {
    guard let version = try? JemallocControl("version"),
      let text = version.read(nil as UnsafePointer<CChar>?) ?? nil
    else { return nil }
    return "jemalloc \(String(cString: text).prefix { $0 != "-" })"
  }
}
