import Basics
import BenchResults

/// The user and system CPU time of all threads of the process (`CLOCK_PROCESS_CPUTIME_ID`).
package final class CPUTime: Instrument {
  private var before: Int64?
  private var after: Int64?

  package init() {}

  package var metrics: [Metric] { Probe.cpu.metrics }

  package func begin() { before = Self.read() }

  package func end() { after = Self.read() }

  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = difference(before, after)
  }

  private static func read() -> Int64? {
    var time = timespec()
    guard clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time) == 0 else { return nil }
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

/// Bytes and calls of reads and writes by all threads of the process, on any file or pipe.
///
/// Source: proc(5), `/proc/[pid]/io`, Linux only. Reading the counters is itself a counted read.
/// That call and its bytes are subtracted, so that an empty phase counts 0.
package final class FileIO: Instrument {
  private struct Counts {
    var read: UInt64?
    var written: UInt64?
    var readCalls: UInt64?
    var writeCalls: UInt64?
  }

  private let file: ProcFile
  private var before = Counts()
  private var after = Counts()
  private var ownBytes: Int?

  /// Opens the counters. Throws ``Unsupported`` if the kernel keeps none.
  package init() throws(Unsupported) {
    file = try ProcFile("/proc/self/io", capacity: 1_024)
    guard file.number("rchar:") != nil else {
      throw Unsupported("/proc/self/io has no rchar here")
    }
  }

  package var metrics: [Metric] { Probe.fileIO.metrics }

  package func begin() {
    ownBytes = file.read()
    before = counts()
  }

  package func end() {
    after = file.read() == nil ? Counts() : counts()
  }

  /// The bytes read between the two readings, or NaN if one failed.
  var bytesRead: Double {
    difference(before.read, after.read) - (ownBytes.map { Double($0) } ?? .nan)
  }

  /// Writes the differences, without the instrument's own reading.
  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = bytesRead
    values[1] = difference(before.written, after.written)
    values[2] = difference(before.readCalls, after.readCalls) - 1
    values[3] = difference(before.writeCalls, after.writeCalls)
  }

  private func counts() -> Counts {
    Counts(
      read: file.number("rchar:"), written: file.number("wchar:"),
      readCalls: file.number("syscr:"), writeCalls: file.number("syscw:"))
  }
}

/// Page faults of the process, minor and major (getrusage(2)).
package final class PageFaults: Instrument {
  private var before: Int?
  private var after: Int?

  package init() {}

  package var metrics: [Metric] { Probe.pageFaults.metrics }

  package func begin() { before = Self.read() }

  package func end() { after = Self.read() }

  package func store(into values: UnsafeMutablePointer<Double>) {
    values[0] = difference(before, after)
  }

  private static func read() -> Int? {
    var usage = rusage()
    #if canImport(Glibc)
      let code = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
      let code = getrusage(RUSAGE_SELF, &usage)
    #endif
    return code == 0 ? usage.ru_minflt &+ usage.ru_majflt : nil
  }
}

/// A small file of `/proc` that is opened once and read repeatedly without allocating.
final class ProcFile {
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0

  /// Opens the file and reads it once, since some files can be opened but not read.
  ///
  /// - Throws: ``Unsupported`` with the system's reason.
  init(_ path: String, capacity: Int = 4_096) throws(Unsupported) {
    buffer = .allocate(byteCount: capacity, alignment: 1)
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .systemError("no \(path) here") }
    guard read() != nil else { throw .systemError("cannot read \(path)") }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    buffer.deallocate()
  }

  /// Reads the file again in one call. Returns the number of bytes, or nil if the call failed.
  func read() -> Int? {
    filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    return filled > 0 ? filled : nil
  }

  /// Returns the number on the line with this label in the text that was read last.
  func number(_ label: StaticString) -> UInt64? {
    var start = 0
    while start + label.utf8CodeUnitCount < filled {
      if matches(label, at: start) { return number(at: start + label.utf8CodeUnitCount) }
      while start < filled, buffer[start] != UInt8(ascii: "\n") { start += 1 }
      start += 1
    }
    return nil
  }

  private func matches(_ label: StaticString, at start: Int) -> Bool {
    for index in 0..<label.utf8CodeUnitCount
    where buffer[start + index] != label.utf8Start[index] {
      return false
    }
    return true
  }

  private func number(at start: Int) -> UInt64? {
    var index = start
    while index < filled, buffer[index] == UInt8(ascii: " ") || buffer[index] == UInt8(ascii: "\t")
    { index += 1 }
    var value: UInt64?
    while index < filled, case let digit = buffer[index] &- UInt8(ascii: "0"), digit < 10 {
      value = (value ?? 0) &* 10 &+ UInt64(digit)
      index += 1
    }
    return value
  }
}
