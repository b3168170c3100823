import ArgumentParser

/// The options for a run's files.
struct OutputOptions: ParsableArguments {
  @Option(
    help: """
      The run's own folder (default: a new one in Reports/runs, to which Reports/latest leads).
      """)
  var out: String?

  @Flag(help: "Keep no files of the run; stores are made in this folder, and removed.")
  var noFiles = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Label kept in the run: --tag pr=12; repeatable.",
      valueName: "name=text"))
  var tag: [String] = []

  /// The options given that only make sense for measuring.
  var given: [String] {
    [
      ("--out", out != nil), ("--no-files", noFiles), ("--tag", !tag.isEmpty),
    ].filter(\.1).map(\.0)
  }

  func check() throws {
    if noFiles, out != nil {
      throw CLIError(
        "--no-files and --out cannot be combined", help: "give one of them", status: .usage)
    }
    _ = try tags()
  }

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

/// The options shared by all commands that measure one run.
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

  /// Returns the baseline name to save the run under, or nil if none was typed.
  func saving() throws -> BaselineName? { try saveBaseline.map(BaselineName.init(typed:)) }
}
