#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A small file of `/proc`, opened once and read again and again without allocating.
final class ProcFile {
  private let descriptor: Int32
  private let buffer: UnsafeMutableRawBufferPointer
  private var filled = 0

  /// Opens the file and reads it once, since some may be opened but not read.
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

  /// Reads the file anew by one call, and gives the number of bytes read; nil if that failed.
  func read() -> Int? {
    filled = max(0, pread(descriptor, buffer.baseAddress, buffer.count, 0))
    return filled > 0 ? filled : nil
  }

  /// The number on the line that starts with this label, of the text read last.
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
