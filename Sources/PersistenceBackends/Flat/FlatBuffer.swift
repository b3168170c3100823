import Foundation

/// Bytes that grow at the end.
struct FlatBuffer: ~Copyable {
  private(set) var start: UnsafeMutableRawPointer
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int = 1_024) {
    self.capacity = max(capacity, 16)
    start = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit { start.deallocate() }

  /// Makes room at the end and gives its place.
  @inline(__always)
  mutating func extend(by length: Int) -> UnsafeMutableRawPointer {
    if count + length > capacity { grow(to: count + length) }
    defer { count += length }
    return start + count
  }

  /// Appends bytes.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    extend(by: bytes.count).copyMemory(from: source, byteCount: bytes.count)
  }

  /// Appends bytes that are 0.
  mutating func appendZeros(_ length: Int) {
    extend(by: length).initializeMemory(as: UInt8.self, repeating: 0, count: length)
  }

  /// Hands the bytes over.
  consuming func data() -> Data {
    let (start, count) = (start, count)
    discard self
    return Data(
      bytesNoCopy: start, count: count, deallocator: .custom { start, _ in start.deallocate() })
  }

  /// Takes bytes away at the end.
  mutating func cut(to length: Int) { count = min(count, length) }

  /// Some of the bytes; valid until the buffer changes.
  @inline(__always)
  func bytes(from offset: Int, count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: start + offset, count: count)
  }

  @inline(never)
  private mutating func grow(to needed: Int) {
    let larger = max(needed, capacity * 2)
    let moved = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    moved.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = moved
    capacity = larger
  }
}
