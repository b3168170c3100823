import BenchResults
import Foundation
import PersistenceBackends
import Subprocess
import Testing

@Suite("The documentation tells the truth")
struct DocumentationTests {
  @Test("Every command on a page runs, in the page's order", arguments: Page.all)
  func commands(_ page: Page) async throws {
    let commands = page.commands.filter { $0.runsBench }
    // The reader of pages must find their commands: the first page shows the main ones.
    #expect(commands.count >= 6 || page.path != "README.md")
    guard !commands.isEmpty else { return }
    try await inFolder { folder in
      try FileManager.default.createSymbolicLink(
        atPath: folder + "/Datasets", withDestinationPath: Page.root + "/Datasets")
      // The run that the page expects: your latest run.
      let first = try await Executable.bench(
        "run --allow-debug --menu \(Gate.menu) --blocks 1 --metrics wall", in: folder)
      #expect(first.status == .exited(0))
      for command in commands {
        let outcome = try await Executable.shell(command.shortened, in: folder)
        #expect(
          outcome.status == .exited(command.line.contains("--inject") ? 2 : 0),
          "\(command.line): \(outcome.errors)")
      }
    }
  }

  @Test("Every line of shell on a page is of a kind that is tested", arguments: Page.all)
  func kinds(_ page: Page) {
    for command in page.commands where !command.runsBench {
      if command.line.hasPrefix("./scripts/") {
        let script = Page.root + "/" + command.words[0]
        #expect(FileManager.default.isExecutableFile(atPath: script), "\(script)")
      } else {
        // The first ones are scripts/check-example's, the last two need a server.
        let known = [
          "swift run -c release --package-path Tests/ExamplePackage ",
          "cd Benchmarks", "swift run OurBench ", "swift test", "git fetch ", "git clone ",
        ]
        #expect(known.contains { command.line.hasPrefix($0) }, "\(command.line)")
      }
    }
  }

  @Test("Every link from a page to another leads somewhere", arguments: Page.all + Page.reports)
  func links(_ page: Page) throws {
    for link in page.text.matches(of: /\]\(([^)#:]*)#?([^):]*)\)/) {
      let path = link.1.isEmpty ? page.path : page.folder + link.1
      #expect(FileManager.default.fileExists(atPath: Page.root + "/" + path), "\(link.0)")
      if !link.2.isEmpty {
        #expect(Page(path).anchors.contains(String(link.2)), "\(link.0)")
      }
    }
  }

  @Test("Every file or folder of the sources that a page names exists", arguments: Page.all)
  func paths(_ page: Page) {
    for path in page.text.matches(of: /`((?:Sources|Tests|scripts|Documentation)\/[^` ]*)`/) {
      #expect(FileManager.default.fileExists(atPath: Page.root + "/" + path.1), "\(path.1)")
    }
  }

  @Test("The gate can read the configuration on its page")
  func configuration() async throws {
    let shown = Page("Documentation/gate.md").blocks("json")
    #expect(shown.count == 1)
    try await inFolder { folder in
      try shown.first?.write(
        toFile: folder + "/menubench.json", atomically: true, encoding: .utf8)
      // The backend that the page names, next to another.
      let outcome = try await Executable.bench(Gate.itself + " --backend json,sqlite", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      let other = try await Executable.bench(Gate.itself + " --config no.json", in: folder)
      #expect(other.status == .exited(64))
    }
  }

  @Test("The workflow and the Job on the page about machines start as many shards as they name")
  func shards() {
    let shown = Page("Documentation/several-machines.md").blocks("yaml")
    #expect(shown.count == 2)
    let words = [
      ["shard: [1, 2, 3, 4, 5]\n", "--shard \"$SHARD/5\" "],
      ["\n  completions: 5\n", "--shard \"$((JOB_COMPLETION_INDEX + 1))/5\"\n"],
    ]
    for (block, words) in zip(shown, words) {
      for word in words { #expect(block.contains(word), "\(word)") }
    }
  }

  @Test("The page about backends has all that come with the package, with their own summaries")
  func backends() {
    let rows = BackendRegistry.all.map { "| `\($0.id)` | \($0.summary) |\n" }
    let page = Page("Documentation/storages.md").text
    #expect(page.contains("| --- | --- |\n" + rows.joined() + "\n"))
  }

  @Test("The page about metrics has every metric and its title in tables")
  func metrics() {
    let page = Page("Documentation/metrics.md").text
    for metric in Metric.all {
      #expect(page.contains("| `\(metric.id)` | \(metric.title) |"), "\(metric.id)")
    }
  }

  @Test("Swift code on a page is code that is built")
  func code() async throws {
    let example = "Tests/ExamplePackage/"
    let whole =
      [
        // Within the package's own target it does not import itself.
        Page("Tests/FaultyBench/XMLPlistBackend.swift").text
          .replacing("import PersistenceBackends\n", with: ""),
        Page(example + "Sources/ReadingListBench/ReadingListBench.swift").text,
        Page("Tests/PhonePackage/Sources/PhoneBench/PhoneBench.swift").text,
      ] + (try await Self.starterFiles())
    let shown = Page.all.flatMap { $0.blocks("swift") }
    for file in whole { #expect(shown.contains { $0 + "\n" == file }) }
    let manifest = Self.dedented(Page(example + "Package.swift").text)
    for block in shown {
      #expect(whole.contains(block + "\n") || manifest.contains(Self.dedented(block)), "\(block)")
    }
  }

  @Test("Swift code in an article of the reference is code that is built")
  func articles() throws {
    let built = try ["Tests/PhonePackage", "Tests/ExamplePackage"].flatMap { package in
      let files = try FileManager.default.subpathsOfDirectory(atPath: "\(Page.root)/\(package)")
      return files.filter { $0.hasSuffix(".swift") && !$0.hasPrefix(".build") }
        .map { Self.unspaced(Page("\(package)/\($0)").text) }
    }
    for article in ["MenuBenchKit", "BenchCLI"] {
      let name = article == "BenchCLI" ? "MeasureYourOwnBackend" : "MeasureOnAPhone"
      let shown = Page("Sources/\(article)/Documentation.docc/\(name).md").blocks("swift")
      #expect(shown.count >= 2, "\(article)")
      for block in shown {
        #expect(built.contains { $0.contains(Self.unspaced(block)) }, "\(block)")
      }
    }
  }

  private static func unspaced(_ text: String) -> String { text.replacing(/\s/, with: "") }

  /// The output of `bench init`, without the manifest. `scripts/check-example` builds it.
  private static func starterFiles() async throws -> [String] {
    try await inFolder { folder in
      let outcome = try await Executable.bench("init", in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      return try [
        "Sources/OurBench/OurBench.swift", "Sources/OurBench/OurBackend.swift",
        "Tests/OurBenchTests/CostTests.swift",
      ].map { try String(contentsOfFile: "\(folder)/Benchmarks/\($0)", encoding: .utf8) }
    }
  }

  private static func dedented(_ text: String) -> String { text.replacing(/(?m)^ +/, with: "") }

  @Test("The backend that the documentation adds works")
  func backend() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.faulty(
        "run --allow-debug --backend xml-plist --menu small --blocks 1 --out out", in: folder)
      #expect(outcome.status == .exited(0))
      #expect(try RunFile.read(folder + "/out/run.json").failures.isEmpty)
    }
  }

  @Test("The sample of a report has the headings of the command's output, and CSV has its header")
  func output() async throws {
    let shown = Page("Documentation/reading-a-report.md").blocks("text").joined(separator: "\n")
    let header = Page("Documentation/formats.md").blocks("csv")
    try await inFolder { folder in
      let outcome = try await Executable.bench(
        "run --allow-debug --backend json,plist,sqlite,memory --menu small --blocks 1", in: folder)
      let printed = outcome.output.components(separatedBy: "\n")
      let headings = printed.filter { $0.hasPrefix("backend ") }
        .map { $0.split(separator: " ").joined(separator: " ") }
      let inSample = Set(
        shown.components(separatedBy: "\n").map {
          $0.split(separator: " ").joined(separator: " ")
        })
      #expect(!headings.isEmpty)
      // Tables leave out their last columns where figures are wide.
      for heading in headings {
        #expect(
          inSample.contains {
            $0.hasPrefix("backend ") && (heading.hasPrefix($0) || $0.hasPrefix(heading))
          }, "\(heading)")
      }
      // Only the name of the sample's menu is here.
      let first = printed.first?.replacing("small", with: "large")
      #expect(first?.isEmpty == false && shown.contains(first ?? "-"))
      let csv = try String(contentsOfFile: folder + "/Reports/latest/report.csv", encoding: .utf8)
      #expect(header == csv.split(separator: "\n").first.map { [String($0)] })
    }
  }
}

/// A page of the documentation, or a file that one quotes.
struct Page: Sendable, CustomTestStringConvertible {
  /// The package's root folder.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// Every page for users and contributors of the program.
  static let all =
    ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map { Page($0) }
    + ["Documentation/", "Datasets/", "Tests/ExamplePackage/"].flatMap { pages(in: $0) }

  /// Every report that is published.
  static let reports = pages(in: "Reports/")

  private static func pages(in folder: String) -> [Page] {
    let files = try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)
    return (files ?? []).filter { $0.hasSuffix(".md") }.sorted().map { Page(folder + $0) }
  }

  /// The path from the root.
  let path: String
  /// The whole text. An unreadable page is empty, and has nothing that a test expects.
  let text: String

  init(_ path: String) {
    self.path = path
    text = (try? String(contentsOfFile: Self.root + "/" + path, encoding: .utf8)) ?? ""
  }

  var testDescription: String { path }

  /// The folder of the page, with a slash at its end, or empty.
  var folder: String {
    String(path[..<(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)])
  }

  /// The fenced blocks of one language, without their fences.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  var commands: [ShownCommand] {
    blocks("sh").flatMap { $0.split(separator: "\n") }.map { ShownCommand(line: String($0)) }
  }

  /// The names by which GitHub links to its headings.
  var anchors: [String] {
    text.matches(of: /(?m)^#+ (.*)$/).map {
      $0.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
        .replacing(" ", with: "-")
    }
  }
}

/// A command line of a page.
struct ShownCommand {
  let line: String

  var words: [String] { line.split(separator: " ").map(String.init) }
  var runsBench: Bool { subcommand != nil }

  /// The text after bench.
  private var subcommand: String? {
    line.firstMatch(of: #/(?:\./scripts|\.build/release)/bench (\S+)/#).map { String($0.1) }
  }

  /// The same command once and untimed: a test asserts that it works, not how fast. A gate's revision
  /// is taken for built, and is this very program: building it would take minutes.
  var shortened: String {
    // A run and a gate of all have tests of their own.
    let line = line.replacing(
      #/(\./scripts|\.build/release)/bench /#, with: Executable.bench.path + " "
    )
    .replacing("--backend all", with: "--backend json,sqlite")
    switch subcommand {
    case "run":
      // A command that takes minutes with its page's menus runs with a tiny one.
      return line.replacing(
        /--menu (large,huge|large|medium|small|products=\d{4}\S*)(?= |$)/,
        with: "--menu \(Gate.menu)"
      )
      .replacing("--workload roundtrip,product,combo", with: "--workload roundtrip,product")
      .replacing(/(large|small):lists/, with: Gate.menu + ",lists") + " --allow-debug --blocks 1"
        + (line.contains("--menu") ? "" : " --menu \(Gate.menu)")
    case "compare" where !line.contains("--run"):
      return line + " --allow-debug --blocks 1 --backend json,lmdb --menu \(Gate.menu)"
        + " --workload roundtrip,combo"
    case "scale" where !line.contains("--run"):
      return line + " --allow-debug --blocks 1 --to 1000 --points 3"
    case "profile":
      // Callgrind's minute is a test's of its own.
      return line.replacing("--menu large", with: "--menu \(Gate.menu)")
        .replacing("--diff FETCH_HEAD", with: "--diff \(Executable.bench.path)")
        .replacing("--what instructions", with: "--what allocations")
        + " --allow-debug --seconds 0.5"
    case "gate":
      return line.replacing(/--against (".*?"|\S+)/, with: "--against \(Executable.bench.path)")
        + " --allow-debug --menu \(Gate.menu) --tier exact --metrics \(Gate.counters)"
    case "doctor": return line + " --seconds 0.1"
    default: return line
    }
  }
}
