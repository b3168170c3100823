/// What `/proc/cpuinfo` says of the first processor.
struct CPUInfo: Equatable {
  /// The model's name; nil where the kernel gives none, as on most ARM machines.
  var model: String?
  /// The feature flags, sorted; nil where there are none.
  var flags: [String]?

  init(model: String? = nil, flags: [String]? = nil) {
    self.model = model
    self.flags = flags
  }

  /// Reads the text of `/proc/cpuinfo`; x86 says `flags`, ARM says `Features`.
  init(cpuinfo text: String) {
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmed }
      guard parts.count == 2, !parts[1].isEmpty else { continue }
      switch parts[0] {
      case "model name": model = model ?? parts[1]
      case "flags", "Features": flags = flags ?? parts[1].split(separator: " ").map(String.init)
      default: continue
      }
    }
    flags?.sort()
  }
}

extension Substring {
  /// The text without the blanks around it.
  var trimmed: String {
    let blanks: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    var text = self.drop(while: blanks)
    while let last = text.last, blanks(last) { text.removeLast() }
    return String(text)
  }
}
