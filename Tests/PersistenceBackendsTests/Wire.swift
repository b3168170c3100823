/// Pieces of messages as bytes (protobuf.dev/programming-guides/encoding).
enum Wire {
  /// A field with a length: a text or a message of less than 128 bytes.
  static func field(_ number: Int, _ bytes: [UInt8]) -> [UInt8] {
    varint(number << 3 | 2) + [UInt8(bytes.count)] + bytes
  }

  /// The root's last field.
  static func schema(_ number: UInt8) -> [UInt8] { varint(1_000 << 3) + [number] }

  private static func varint(_ value: Int) -> [UInt8] {
    value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
  }
}
