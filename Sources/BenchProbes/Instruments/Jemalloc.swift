import Basics
import BenchResults
import CProfiler

/// The shared library of jemalloc, which counts the allocations of a process started with it.
///
/// MenuBench does not link it, so times are measured with the system's malloc. A worker that counts
/// is the same executable, started with the library preloaded.
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

  /// The library's path, or nil if it is in none of its usual folders.
  package static let path: String? = {
    let own = getenv(pathVariable).map { String(cString: $0) } ?? ""
    let all = own.split(separator: ":").map(String.init) + folders
    return all.map { "\($0)/\(name)" }.first { access($0, R_OK) == 0 }
  }()

  /// The reason why a process that was started without the library cannot count allocations.
  package static var absence: String {
    path == nil
      ? "\(name) is missing: \(package)" : "this process was started without \(name)"
  }

  /// Returns the environment variables for a process that counts, or none without the library.
  ///
  /// A library that the user preloads stays, after jemalloc. Without a thread cache the statistics
  /// contain every allocation at once. With one arena for each thread they show which thread
  /// allocated. That includes large blocks, which would otherwise share an arena.
  ///
  /// Apple's systems use Homebrew's library, which is untested.
  /// - Parameter environment: the user's environment.
  package static func variables(_ environment: [String: String]) -> [String: String] {
    guard let path else { return [:] }
    return [
      preload: ([path] + [environment[preload]].compactMap(\.self)).joined(separator: separator),
      "MALLOC_CONF": "tcache:false,narenas:64,oversize_threshold:0",
    ]
  }

  /// Returns the environment variables for a process whose allocations are traced one by one, or
  /// none if the library is not installed.
  package static func profilingVariables(_ environment: [String: String]) -> [String: String] {
    variables(environment).merging([
      "MALLOC_CONF": "prof:true,prof_active:false,lg_prof_sample:0,prof_accum:true"
    ]) { $1 }
  }
}

/// The control functions of a preloaded jemalloc.
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

/// One entry of jemalloc's control tree. Its name is looked up once.
final class JemallocControl {
  private let path: UnsafeMutablePointer<Int>
  private var length = JemallocControl.deepest
  private let ask: MallocControl.Ask

  private static let deepest = 8

  /// Looks up the name.
  ///
  /// - Throws: ``Unsupported`` if the process has no jemalloc or jemalloc has no such name.
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

  /// Returns the entry's value, or nil if the entry has no value of this size.
  func read<Value: BitwiseCopyable>(_ value: Value) -> Value? {
    var value = value
    var size = MemoryLayout<Value>.size
    let code = withUnsafeMutableBytes(of: &value) {
      ask(path, length, $0.baseAddress, &size, nil, 0)
    }
    return code == 0 ? value : nil
  }

  /// Returns a counter or size. Never allocates, unlike generic code in an unoptimised build.
  func read() -> UInt64? {
    var value: UInt64 = 0
    var size = MemoryLayout<UInt64>.size
    return ask(path, length, &value, &size, nil, 0) == 0 ? value : nil
  }

  /// Sets the entry and returns whether that worked.
  func write(_ value: UInt64) -> Bool {
    var value = value
    return ask(path, length, nil, nil, &value, MemoryLayout<UInt64>.size) == 0
  }

  /// Sets a Boolean entry and returns whether that worked.
  func write(flag: Bool) -> Bool {
    var flag = flag
    return ask(path, length, nil, nil, &flag, MemoryLayout<Bool>.size) == 0
  }

  /// Sets a text entry and returns whether that worked.
  func write(text: String) -> Bool {
    text.withCString { start in
      var start = start
      return ask(path, length, nil, nil, &start, MemoryLayout<UnsafePointer<CChar>>.size) == 0
    }
  }

  /// Triggers the entry's action and returns whether that worked.
  @discardableResult
  func call() -> Bool { ask(path, length, nil, nil, nil, 0) == 0 }
}

/// jemalloc's counters, in a process that ``JemallocLibrary`` was preloaded into.
///
/// Source: jemalloc(3), `stats.arenas.<i>.*` and `thread.*`. Allocations and bytes are exact for
/// the whole process: no thread has a cache that would report its requests later. The peak is that
/// of the calling thread and may be too low by up to ``peakResolution``. The same work still gives
/// the same peak (``resetPeak()``).
package final class JemallocCounters: AllocatorCounters {
  /// The number of bytes that jemalloc hands out or takes back between two updates of the peak.
  ///
  /// `PEAK_EVENT_WAIT` in jemalloc's peak_event.c. A phase that allocates less may show 0.
  package static let peakResolution = Int(Metric.peakHeapResolution)

  /// The counter of all allocations of one size.
  private struct SizeClass {
    let bytes: UInt64
    let requests: JemallocControl
  }

  private let epoch: JemallocControl
  // Not an array, since iterating over one allocates in an unoptimised build.
  private let classes: UnsafeMutableBufferPointer<SizeClass>
  private let ownSmall: JemallocControl
  private let ownLarge: JemallocControl
  private let peak: JemallocControl
  private let peakReset: JemallocControl

  /// Looks up the counters and checks that this jemalloc serves malloc.
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
      throw Unsupported("jemalloc does not report this thread's arena")
    }
    ownSmall = try JemallocControl("stats.arenas.\(own).small.nrequests")
    ownLarge = try JemallocControl("stats.arenas.\(own).large.nrequests")
    peak = try JemallocControl("thread.peak.read")
    peakReset = try JemallocControl("thread.peak.reset")
    guard let before = read() else { throw Unsupported("jemalloc does not report its statistics") }
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
      throw Unsupported("jemalloc does not report its sizes")
    }
    var classes: [SizeClass] = []
    for index in 0..<count {
      guard let bytes = try JemallocControl("arenas.\(kind).\(index).size").read() else {
        throw Unsupported("jemalloc does not report its sizes")
      }
      let requests = try JemallocControl(
        "stats.arenas.\(jemalloc_all_arenas()).\(kind)s.\(index).nrequests")
      classes.append(SizeClass(bytes: bytes, requests: requests))
    }
    return classes
  }

  /// Sets the number of live bytes as the level from which the peak is counted.
  ///
  /// Allocates and frees a block larger than the resolution. That makes jemalloc update the peak,
  /// so that later updates start from the same point in every phase.
  package func resetPeak() {
    Self.allocateAndFree(2 * Self.peakResolution)
    peakReset.call()
  }

  /// Reads the counters, which takes about 0.1 ms.
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

  /// Passes the block to ``blackHole(_:)``, since the optimiser would remove an unused allocation.
  private static func allocateAndFree(_ bytes: Int) {
    let block = malloc(bytes)
    blackHole(block)
    free(block)
  }
}

enum AllocatorName {
  /// The allocator's name, with its version if known.
  static var current: String {
    if let jemalloc { return jemalloc }
    #if canImport(Darwin)
      return "libmalloc"
    #elseif canImport(Glibc)
      // Looked up by name, since Swift does not import it.
      let version = LoadedSymbol.find(
        "gnu_get_libc_version", as: (@convention(c) () -> UnsafePointer<CChar>).self)
      return version.map { "glibc \(String(cString: $0()))" } ?? "glibc"
    #else
      return "musl"
    #endif
  }

  /// The version without the git revision: `5.3.0-0-g54ea…` becomes 5.3.0.
  private static var jemalloc: String? {
    guard let version = try? JemallocControl("version"),
      let text = version.read(nil as UnsafePointer<CChar>?) ?? nil
    else { return nil }
    return "jemalloc \(String(cString: text).prefix { $0 != "-" })"
  }
}
