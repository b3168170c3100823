import ArgumentParser
import Basics
import BenchReports
import Foundation

/// `bench init`: writes a package that measures the user's own storage.
///
/// The package has its own folder inside the user's, as is usual for benchmarks of Swift packages.
/// The user's manifest is a program that no tool can edit safely, so it stays unchanged. Packages
/// that depend on the user's do not fetch MenuBench.
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Writes a package that measures your own storage next to MenuBench's.",
    discussion: """
      Example: bench init
      writes the package Benchmarks below the current folder. Nothing is overwritten, and your own \
      package is not changed.
      """)

  @Option(help: "The new package's folder.")
  var path = "Benchmarks"

  @Option(help: "The name of the package and of its executable.")
  var name = "OurBench"

  @Option(
    help: """
      The source of MenuBench: the folder of a checkout, or a repository's address. (default: the \
      checkout that this program was built in)
      """)
  var menubench: String?

  func run() throws {
    try Self.check(name: name)
    guard !path.isEmpty else {
      throw CLIError("--path is empty", help: "give a folder: . is this one", status: .usage)
    }
    let folder = NewFolder(path: path)
    let package = StarterPackage(name: name, source: try source(from: folder))
    try folder.write(package.files)
    try Console.output(words(package))
  }

  /// Refuses names that cannot be a module's.
  static func check(name: String) throws {
    guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]{0,79}/) != nil, name != "_" else {
      let shown = name.count > 60 ? name.prefix(60) + "…" : name[...]
      throw CLIError(
        name.isEmpty ? "an empty name" : "'\(shown)' cannot be the name of a Swift module",
        help: "use letters, digits and _, but no digit first: OurBench", status: .usage)
    }
    guard !taken.contains(name.lowercased()) else {
      throw CLIError(
        "'\(name)' is taken: it is a keyword of Swift, or a module that the package is built with",
        help: "choose another, such as OurBench", status: .usage)
    }
  }

  /// Returns the source of MenuBench for the manifest.
  private func source(from folder: NewFolder) throws -> StarterPackage.Source {
    if let menubench, menubench.contains(/^[a-z+]+:\/\/.|^[^\/]+@[^\/]+:./) {
      return .url(menubench)
    }
    guard let checkout = menubench ?? Self.ownCheckout else {
      throw CLIError(
        "the checkout that this program was built in no longer exists",
        help: "give --menubench the folder of a checkout or the address of a repository",
        status: .usage)
    }
    guard Self.isCheckout(checkout) else {
      throw CLIError(
        "\(checkout) is not a checkout of MenuBench",
        help: "give the folder of one, with its Package.swift, or a repository's address",
        status: .usage)
    }
    return .path(folder.path(to: checkout))
  }

  /// The folder that this program was built in, if it still exists and is permanent. SwiftPM may
  /// remove a checkout that it fetched for another package.
  private static var ownCheckout: String? {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().path
    return !root.contains("/.build/") && isCheckout(root) ? root : nil
  }

  private static func isCheckout(_ folder: String) -> Bool {
    let manifest = try? String(contentsOfFile: folder + "/Package.swift", encoding: .utf8)
    return manifest?.contains("name: \"MenuBench\"") == true
  }

  /// Describes the files that were written, and the next commands.
  private func words(_ package: StarterPackage) -> String {
    let path = path.displayable
    let written = package.files.map { "wrote \(path)/\($0.path)\n" }.joined()
    let entering = path == "." ? "next" : "next, after cd \(path)"
    let above = NewFolder(path: self.path).parent
    let theirs =
      FileManager.default.fileExists(atPath: above + "/Package.swift") && path != "."
      ? """

      Your own package is unchanged. To call its code, add to \(path)/Package.swift:
        to the package's dependencies: .package(path: "..")
        to those of \(name), with the product's name for PRODUCT:
          .product(name: "PRODUCT", package: "\(NewFolder.identity(of: above).displayable)")

      """ : ""
    let others =
      if case .path(let checkout) = package.source {
        "MenuBench comes from '\(checkout.displayable)'. For CI and colleagues, give --menubench an address.\n"
      } else {
        ""
      }
    return """
      \(written)
      \(entering):
        swift run -c release \(name) run --backend ours,json --menu small
      Put your storage into Sources/\(name)/OurBackend.swift. To test its counts:
        swift run \(name) run --allow-debug --blocks 1 --backend ours --menu small --save-baseline ours
        swift test
      \(others)\(theirs)
      """
  }
}

extension InitCommand {
  /// Reserved names in lower case, since file systems may ignore case. These are Swift's keywords,
  /// the modules of the package's dependencies, and those of its tests.
  static let taken: Set<String> = Set(
    """
    as any associatedtype async await break case catch class continue default defer deinit do else enum
    extension fallthrough false fileprivate for func guard if import in init inout internal is let nil
    open operator package precedencegroup private protocol public repeat rethrows return self some
    static struct subscript super switch throw throws true try typealias var where while

    swift foundation testing xctest packagedescription menubench
    basics backendkit bench benchanalysis benchstatistics benchcli benchdocuments benchengine benchprobes
    benchprocesses benchprofiles benchreports benchresults ccallgrind clmdb cprofiler
    csimdjson czstd lmdbbackends menubenchkit menubenchsqlite menumodel menusources menuworkloads
    persistencebackends protobufbackends revisionbuild runhistory simdjsonbackends sqlbackends
    zstdbackends
    argumentparser grdb grdbsqlite subprocess swiftprotobuf system systempackage
    """.split { $0 == " " || $0 == "\n" }.map(String.init))
}

/// A folder to add files to. The files must not exist yet.
struct NewFolder {
  /// The path as typed.
  let path: String

  /// The folder that contains it, which may not exist yet.
  var parent: String { absolute.deletingLastPathComponent().path }

  private var absolute: URL { Self.resolved(URL(filePath: path)) }

  /// Resolves a path, even if only its beginning exists.
  private static func resolved(_ url: URL) -> URL {
    let url = url.standardizedFileURL
    if let found = resolvedPath(url.path) { return URL(filePath: found) }
    return resolved(url.deletingLastPathComponent()).appending(path: url.lastPathComponent)
  }

  /// SwiftPM's name for the package in a folder.
  static func identity(of folder: String) -> String { URL(filePath: folder).lastPathComponent }

  /// Returns the path from here to another folder, relative if they share more than the root.
  func path(to other: String) -> String {
    let other = Self.resolved(URL(filePath: other))
    let (from, to) = (absolute.pathComponents, other.pathComponents)
    let shared = zip(from, to).prefix { $0 == $1 }.count
    guard shared > 1 else { return other.path }
    let steps = Array(repeating: "..", count: from.count - shared) + to[shared...]
    return steps.isEmpty ? "." : steps.joined(separator: "/")
  }

  /// Writes all files or none.
  func write(_ files: [(path: String, text: String)]) throws {
    for file in files where SafeFile.exists("\(path)/\(file.path)") {
      throw CLIError(
        "\(path)/\(file.path) already exists, and nothing is overwritten",
        help: "choose another folder with --path")
    }
    var made: [String] = []
    do {
      for file in files { try write(file.text, to: "\(path)/\(file.path)", noting: &made) }
    } catch {
      for path in made.reversed() { _ = remove(path) }
      throw error
    }
  }

  /// Makes one file and the folders that contain it, and notes each.
  private func write(_ text: String, to path: String, noting made: inout [String]) throws {
    try makeFolder(String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]), noting: &made)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable(path, errnoMessage()) }
    made.append(path)
    do {
      try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        .write(contentsOf: Data(text.utf8))
    } catch {
      throw unwritable(path, systemReason(error))
    }
  }

  private func makeFolder(_ path: String, noting made: inout [String]) throws {
    guard !path.isEmpty, !SafeFile.isFolder(path) else { return }
    guard SafeFile.mode(of: path) == nil else { throw unwritable(path, "it is not a folder") }
    if let slash = path.lastIndex(of: "/") { try makeFolder(String(path[..<slash]), noting: &made) }
    guard mkdir(path, 0o755) == 0 else { throw unwritable(path, errnoMessage()) }
    made.append(path)
  }

  private func unwritable(_ path: String, _ reason: String) -> CLIError {
    CLIError("\(path) cannot be made: \(reason)", help: "choose another folder with --path")
  }
}
