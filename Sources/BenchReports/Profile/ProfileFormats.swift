import BenchAnalysis
import BenchResults
import Foundation

/// A profile as other tools read it.
package enum ProfileFormats {
  /// A line a stack, the outermost function first: `encode;JSONEncoder.encode(_:) 12`, with the value of one
  /// measure.
  ///
  /// As Brendan Gregg's flame graph scripts, speedscope and the Firefox Profiler read it
  /// (github.com/brendangregg/FlameGraph). What parts functions there, or ends a line, is replaced in
  /// names.
  package static func collapsed(_ profile: Profile, measure index: Int = 0) -> String {
    profile.stacks.compactMap { stack in
      let value = Int(stack.total[index].rounded())
      guard value > 0 else { return nil }
      let names = [profile.phase] + stack.frames.map { profile.frames[$0].name }
      return names.map(plain).joined(separator: ";") + " \(value)"
    }.joined(separator: "\n") + "\n"
  }

  private static func plain(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          if scalar == ";" { return ":" }
          return scalar.properties.isWhitespace || scalar.value < 32 ? " " : scalar
        }))
  }

  /// One or more profiles for speedscope: a profile a phase, side and measure.
  ///
  /// Source: the format's schema, www.speedscope.app/file-format-schema.json.
  package static func speedscope(_ profiles: [(name: String, profile: Profile)]) throws -> Data {
    var (frames, places): ([Speedscope.Frame], [Profile.Frame: Int]) = ([], [:])
    func place(of frame: Profile.Frame) -> Int {
      if let known = places[frame] { return known }
      places[frame] = frames.count
      frames.append(Speedscope.Frame(name: frame.name, file: frame.module))
      return frames.count - 1
    }
    let all = profiles.flatMap { name, profile in
      profile.measures.indices.compactMap { index -> Speedscope.Profile? in
        let measure = profile.measures[index]
        let stacks = profile.stacks.filter { $0.total[index] > 0 }
        guard !stacks.isEmpty else { return nil }
        let root = place(
          of: Profile.Frame(name: profile.phase, module: "phase", owner: .program))
        let weights = stacks.map { $0.total[index] }
        return Speedscope.Profile(
          type: "sampled", name: "\(name) \(measure.id)", unit: unit(measure.unit), startValue: 0,
          endValue: weights.reduce(0, +),
          samples: stacks.map { stack in [root] + stack.frames.map { place(of: profile.frames[$0]) }
          },
          weights: weights)
      }
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(
      Speedscope(
        schema: "https://www.speedscope.app/file-format-schema.json",
        shared: Speedscope.Shared(frames: frames), profiles: all, name: profiles.first?.name,
        activeProfileIndex: 0, exporter: "MenuBench"))
  }

  private static func unit(_ unit: BenchResults.Unit) -> String {
    switch unit {
    case .nanoseconds: "nanoseconds"
    case .bytes: "bytes"
    case .count, .percent: "none"
    }
  }

  private struct Speedscope: Encodable {
    var schema: String
    var shared: Shared
    var profiles: [Profile]
    var name: String?
    var activeProfileIndex: Int
    var exporter: String

    enum CodingKeys: String, CodingKey {
      case schema = "$schema"
      case shared, profiles, name, activeProfileIndex, exporter
    }

    struct Shared: Encodable {
      var frames: [Frame]
    }

    struct Frame: Encodable {
      var name: String
      var file: String
    }

    struct Profile: Encodable {
      var type: String
      var name: String
      var unit: String
      var startValue: Double
      var endValue: Double
      var samples: [[Int]]
      var weights: [Double]
    }
  }

  /// A profile for pprof, uncompressed, which its readers take as well as gzip's form.
  ///
  /// Source: profile.proto of github.com/google/pprof, by field numbers.
  package static func pprof(_ profile: Profile) -> Data {
    var texts = Texts()
    var message = WireMessage()
    for measure in profile.measures {
      message.add(1, valueType(measure, &texts))
    }
    let root = profile.frames.count
    for stack in profile.stacks {
      var sample = WireMessage()
      // The innermost first; identifiers begin at 1.
      sample.add(1, packed: stack.frames.reversed().map { UInt64($0 + 1) } + [UInt64(root + 1)])
      sample.add(2, packed: stack.total.map { UInt64(bitPattern: Int64($0.rounded())) })
      message.add(2, sample)
    }
    let frames =
      profile.frames
      + [Profile.Frame(name: profile.phase, module: "phase", owner: .program)]
    for (index, frame) in frames.enumerated() {
      var (location, line, function) = (WireMessage(), WireMessage(), WireMessage())
      line.add(1, UInt64(index + 1))
      location.add(1, UInt64(index + 1))
      location.add(4, line)
      message.add(4, location)
      function.add(1, UInt64(index + 1))
      function.add(2, texts.place(of: frame.name))
      function.add(3, texts.place(of: frame.name))
      function.add(4, texts.place(of: frame.module))
      message.add(5, function)
    }
    if let first = profile.measures.first {
      if let sample = first.sample {
        message.add(11, valueType(first, &texts))
        message.add(12, UInt64(sample))
      }
      // Unless told, the last is shown first.
      message.add(14, texts.place(of: first.id))
    }
    for text in texts.all { message.add(6, text) }
    return message.bytes
  }

  private static func valueType(
    _ measure: Profile.Measure, _ texts: inout Texts
  ) -> WireMessage {
    var type = WireMessage()
    type.add(1, texts.place(of: measure.id))
    type.add(2, texts.place(of: measure.unit == .count ? "count" : unit(measure.unit)))
    return type
  }

  /// The table of texts, of which the first is empty.
  private struct Texts {
    private(set) var all = [""]
    private var places = ["": 0]

    mutating func place(of text: String) -> UInt64 {
      if let known = places[text] { return UInt64(known) }
      places[text] = all.count
      all.append(text)
      return UInt64(all.count - 1)
    }
  }
}

/// Protocol Buffers' wire format (protobuf.dev/programming-guides/encoding): what a profile needs of it.
struct WireMessage {
  private(set) var bytes = Data()

  /// A number; 0, the default, takes no room.
  mutating func add(_ field: UInt64, _ value: UInt64) {
    guard value != 0 else { return }
    varint(field << 3)
    varint(value)
  }

  /// A text.
  mutating func add(_ field: UInt64, _ text: String) { add(field, Data(text.utf8)) }

  /// A message within.
  mutating func add(_ field: UInt64, _ message: WireMessage) { add(field, message.bytes) }

  /// Numbers, one behind the other.
  mutating func add(_ field: UInt64, packed values: [UInt64]) {
    var list = WireMessage()
    for value in values { list.varint(value) }
    add(field, list)
  }

  private mutating func add(_ field: UInt64, _ content: Data) {
    varint(field << 3 | 2)
    varint(UInt64(content.count))
    bytes += content
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }
}
