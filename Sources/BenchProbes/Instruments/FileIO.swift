import BenchResults

/// Bytes and calls read and written by every thread of the process, whatever they were read from.
///
/// Source: proc(5), `/proc/[pid]/io`, Linux only. Reading the counters moves them, after the reading
/// was made; that one call and its bytes are taken off again, so that an empty phase counts 0.
public final class FileIO: Instrument {
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

  /// Opens the counters.
  ///
  /// - Throws: ``Unsupported`` where the kernel keeps none.
  public init() throws(Unsupported) {
    file = try ProcFile("/proc/self/io", capacity: 1_024)
    guard file.number("rchar:") != nil else {
      throw Unsupported("/proc/self/io has no rchar here")
    }
  }

  /// Bytes read, bytes written, calls to read, calls to write.
  public var metrics: [Metric] { Probe.fileIO.metrics }

  /// Reads the counters.
  public func begin() {
    ownBytes = file.read()
    before = counts()
  }

  /// Reads the counters again.
  public func end() {
    after = file.read() == nil ? Counts() : counts()
  }

  /// Writes the differences, less the instrument's own reading.
  public func store(into values: UnsafeMutablePointer<Double>) {
    let own = ownBytes.map { Double($0) } ?? .nan
    values[0] = difference(before.read, after.read) - own
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
