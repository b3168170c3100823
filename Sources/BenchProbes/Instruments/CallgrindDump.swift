/// What Callgrind writes about the instructions that it collected.
///
/// Source: the Callgrind format, https://valgrind.org/docs/manual/cl-format.html.
enum CallgrindDump {
  /// The number of instructions in a dump; nil where the text is no whole dump of them.
  static func instructions(in text: String) -> UInt64? {
    guard field("events:", of: text) == "Ir" else { return nil }
    return field("totals:", of: text).flatMap { UInt64($0) }
  }

  /// The first word after a label; of two such lines, the last.
  private static func field(_ label: String, of text: String) -> Substring? {
    text.split(separator: "\n").last { $0.hasPrefix(label) }?
      .dropFirst(label.count).split(separator: " ").first
  }
}
