/// An option as a configuration gives it, before any that is typed.
struct ConfiguredOption {
  let known: KnownOption
  /// As it would be typed; nothing of a flag that is off anyway.
  let words: [String]
  /// The one command that it is for; nil of every command that has it.
  let command: String?

  /// The commands that take options from a configuration: those that measure cells and say how they did.
  static let commands = ["run", "gate", "compare", "scale"]
}

/// An option that a configuration may hold, by the name that it has when typed.
struct KnownOption {
  enum Kind {
    case flag, integer, number, text, texts

    /// What it takes, in words.
    var rule: String {
      switch self {
      case .flag: "true or false"
      case .integer: "a whole number such as 20"
      case .number: "a number such as 60"
      case .text: "a text in quotation marks"
      case .texts: "a list such as [\"one\", \"two\"]"
      }
    }
  }

  let name: String
  let kind: Kind
  /// The commands that have it.
  let commands: [String]
  /// The options that a command takes no configured one beside, as typed: they answer the same question.
  var otherwise: [String] = []
  /// Whether a flag is on unless told.
  var isOn = false

  private static let measuring = ConfiguredOption.commands
  private static let sideBySide = ["compare", "scale"]

  /// Every one, in the order in which help lists them.
  static let all: [KnownOption] = [
    KnownOption("backend", .text, measuring, not: "run"),
    KnownOption("menu", .text, measuring, not: "run"),
    KnownOption("workload", .text, measuring, not: "run"),
    KnownOption("durability", .text, measuring, not: "run"),
    KnownOption("metrics", .text, ["run", "gate"]),
    KnownOption("one-size", .flag, ["compare"], not: "run"),
    KnownOption("from", .integer, ["scale"], not: "run"),
    KnownOption("to", .integer, ["scale"], not: "run"),
    KnownOption("points", .integer, ["scale"], not: "run"),
    KnownOption("for", .text, ["compare"], not: "weight"),
    KnownOption("weight", .text, ["compare"], not: "for"),
    KnownOption("require", .text, ["compare"]),
    KnownOption("rank-volatile", .flag, ["compare"]),
    KnownOption("good-enough", .text, ["compare"]),
    KnownOption("against", .text, ["gate"], not: "baseline"),
    KnownOption("product", .text, ["gate"], not: "baseline"),
    KnownOption("baseline", .text, ["run", "gate"], not: "against"),
    KnownOption("times", .flag, ["gate"], not: "against"),
    KnownOption("strict", .flag, ["gate"]),
    KnownOption("allow-missing", .flag, ["run", "gate"]),
    KnownOption("tolerance", .texts, ["gate"]),
    KnownOption("tier", .text, ["gate"]),
    KnownOption("explain", .flag, ["gate"], isOn: true),
    KnownOption("blocks", .integer, ["run"] + sideBySide, not: "run"),
    KnownOption("budget", .number, measuring, not: "run"),
    KnownOption("precision", .number, ["run"] + sideBySide, not: "run"),
    KnownOption("storage", .text, measuring, not: "run"),
    KnownOption("memory-limit", .integer, measuring, not: "run"),
    KnownOption("timeout", .integer, measuring, not: "run"),
    KnownOption("seed", .integer, measuring, not: "run"),
    KnownOption("format", .text, measuring),
    KnownOption("chart", .text, ["run", "gate"]),
    KnownOption("export", .texts, measuring),
    KnownOption("wide", .flag, measuring),
    KnownOption("quiet", .flag, measuring, not: "verbose"),
    KnownOption("verbose", .flag, measuring, not: "quiet"),
    KnownOption("out", .text, measuring, not: "no-files", "run"),
    KnownOption("no-files", .flag, measuring, not: "out", "run"),
    KnownOption("keep", .integer, measuring, not: "run"),
    KnownOption("tag", .texts, measuring, not: "run"),
  ]

  private init(
    _ name: String, _ kind: Kind, _ commands: [String], not otherwise: String..., isOn: Bool = false
  ) {
    (self.name, self.kind, self.commands) = (name, kind, commands)
    (self.otherwise, self.isOn) = (otherwise, isOn)
  }
}

/// The command line, with what a configuration adds.
///
/// Configured options stand before those typed, of which the last one holds: so that a typed one wins,
/// and lists of both add up.
enum ConfiguredArguments {
  /// The arguments to parse.
  struct Merged {
    var all: [String]
    /// What to say of those that are the file's; nil of none.
    var note: String?
    /// Whether that is worth a word only where something is wrong.
    var isQuiet = false
  }

  /// - Throws: a ``CLIError`` of status `usage` where the file cannot be used.
  static func merged(_ typed: [String]) throws -> Merged {
    guard let command = typed.first, ConfiguredOption.commands.contains(command),
      !typed.contains(where: ["--help", "-h", "--version"].contains), let path = path(typed)
    else { return Merged(all: typed) }
    let given = Set(typed.filter { $0.hasPrefix("--") }.map { $0.prefix { $0 != "=" } })
    let added = try Configuration(path: path).options.filter { option in
      (option.command ?? command) == command && option.known.commands.contains(command)
        && !option.known.otherwise.contains { given.contains("--\($0)") }
    }.flatMap(\.words)
    let all = [command] + added + typed.dropFirst()
    return Merged(
      all: all, note: added.isEmpty ? nil : "\(path) adds \(added.joined(separator: " "))",
      isQuiet: all.contains("--quiet"))
  }

  /// The file that was named, of a gate, or the usual one where it is there.
  private static func path(_ typed: [String]) -> String? {
    if typed[0] == "gate", let index = typed.lastIndex(where: { $0.hasPrefix("--config") }) {
      let option = typed[index].split(separator: "=", maxSplits: 1)
      if option[0] == "--config" {
        return option.count > 1
          ? String(option[1]) : index + 1 < typed.count ? typed[index + 1] : nil
      }
    }
    return Configuration.usualPath
  }
}
