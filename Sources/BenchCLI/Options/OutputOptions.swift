import ArgumentParser

/// Where a run's files go.
struct OutputOptions: ParsableArguments {
  @Option(
    help: """
      The run's own folder (default: a new one in Reports/runs, to which Reports/latest leads).
      """)
  var out: String?

  @Flag(help: "Keep no files of the run; stores are made in this folder, and removed.")
  var noFiles = false

  @Option(
    name: .customLong("keep"), parsing: .unconditional,
    help: "How many runs in Reports/runs stay, the newest of them. (default: \(KeptRuns.most))")
  var typedKeep: Int?

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Label kept in the run: --tag pr=12; repeatable.",
      valueName: "name=text"))
  var tag: [String] = []

  init() {}

  /// A folder.
  init(out: String) {
    self.out = out
    noFiles = false
    typedKeep = nil
    tag = []
  }

  /// The options given that only make sense for measuring.
  var given: [String] {
    [
      ("--out", out != nil), ("--no-files", noFiles), ("--keep", typedKeep != nil),
      ("--tag", !tag.isEmpty),
    ].filter(\.1).map(\.0)
  }

  /// How many runs stay: as many as were typed, or as usual.
  var keep: Int { typedKeep ?? KeptRuns.most }

  /// Refuses what makes no sense.
  ///
  /// - Throws: a ``CLIError`` that says what is valid.
  func check() throws {
    try refuse("--keep", keep, outside: 1...100_000)
    if noFiles, out != nil {
      throw CLIError(
        "--no-files and --out cannot be combined", help: "give one of them", status: .usage)
    }
    _ = try tags()
  }

  /// The tags typed; nil of none.
  ///
  /// - Throws: a ``CLIError`` where one is no `NAME=TEXT` or comes twice.
  func tags() throws -> [String: String]? {
    var tags: [String: String] = [:]
    for text in tag {
      guard let match = text.wholeMatch(of: /([a-z][a-z0-9_]{0,39})=(.{1,200})/) else {
        throw CLIError(
          "'\(text)' is no tag", help: "--tag pr=12: a name of a-z 0-9 _, and a text",
          status: .usage)
      }
      guard tags.updateValue(String(match.2), forKey: String(match.1)) == nil else {
        throw CLIError(
          "the tag '\(match.1)' is there twice", help: "give it once", status: .usage)
      }
    }
    return tags.isEmpty ? nil : tags
  }
}

/// What the commands that measure one run are told alike.
struct MeasuringOptions: ParsableArguments {
  @OptionGroup(title: "What to measure") var selection: Selection
  @OptionGroup(title: "What to show") var show: ShowOptions
  @OptionGroup(title: "What to show") var output: OutputOptions

  @Option(
    help: """
      Keep this run as the baseline of this name, unless it fails; refused if a figure of the \
      present one would become worse or be missing.
      """)
  var saveBaseline: String?

  /// The name that the run is to have.
  ///
  /// - Throws: a ``CLIError`` of status `usage` where it is none.
  func saving() throws -> BaselineName? { try saveBaseline.map(BaselineName.init(typed:)) }
}
