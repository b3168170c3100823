import ArgumentParser

/// The options for a run's files.
struct OutputOptions: ParsableArguments {
  @Option(
    help: """
      The run's folder (default: a new one in Reports/runs, linked by Reports/latest).
      """)
  var out: String?

  @Flag(help: "Keep no files of the run. Its stores are made in this folder, then removed.")
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
          "'\(text)' is not a tag", help: "give a name of a-z 0-9 _ and a text: --tag pr=12",
          status: .usage)
      }
      guard tags.updateValue(String(match.2), forKey: String(match.1)) == nil else {
        throw CLIError("the tag '\(match.1)' is given twice", help: "give it once", status: .usage)
      }
    }
    return tags.isEmpty ? nil : tags
  }
}

/// The options shared by all commands that measure one run.
struct MeasuringOptions: ParsableArguments {
  @OptionGroup(title: "Selection") var selection: Selection
  @OptionGroup(title: "Output") var show: ShowOptions
  @OptionGroup(title: "Output") var output: OutputOptions

  @Option(
    help: """
      Keep this run as the baseline of this name, unless it fails or a figure of the present \
      baseline would become worse or be missing.
      """)
  var saveBaseline: String?

  /// Returns the baseline name to save the run under, or nil if none was typed.
  func saving() throws -> BaselineName? { try saveBaseline.map(BaselineName.init(typed:)) }
}
