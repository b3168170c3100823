import BenchEngine
import BenchResults
import Foundation
import MenuModel
import MenuSources

/// Menus from the command line: a preset shape, a custom shape, or a file in MenuBench's format.
public struct MenuSource: DocumentSource {
  /// Makes the source.
  public init() {}

  /// The preset shapes.
  public var presets: [(name: String, summary: String)] {
    MenuShape.Preset.allCases.map { ($0.rawValue, $0.summary) }
  }

  /// A real store's menu, which has every feature of larger ones.
  public var quickPreset: String? { MenuShape.Preset.small.rawValue }

  /// Splits at commas, but keeps the `key=value` parts of one shape together, until `products`
  /// comes again: `small,products=5,combos=2,slots=4,options=3,products=9,menu.json` names four
  /// menus. Parts that together name an existing file stay together as well.
  public func split(_ argument: String) throws -> [String] {
    var names: [String] = []
    var parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)[
      ...]
    while let part = parts.first {
      if let file = Self.fileWithCommas(parts) {
        names.append(file.name)
        parts = parts.dropFirst(file.parts)
        continue
      }
      parts = parts.dropFirst()
      if let last = names.last, Self.isParameter(part), Self.takesParameters(last),
        !(part.hasPrefix("products=") && last.hasPrefix("products="))
      {
        names[names.count - 1] = last + "," + part
      } else {
        names.append(part)
      }
    }
    return names
  }

  /// The needs of ordering apps.
  public var needs: [NeedInfo] { NeedInfo.ofMenus }

  /// Returns the shape with about `size` slot options, or nil for a file.
  public func sized(_ name: String, at size: Int) -> String? {
    guard !isFile(name), let shape = try? MenuShape(parsing: name) else { return nil }
    return shape.sized(options: size)?.description
  }

  /// Generates the menu of a shape, or reads a menu from a file and validates it.
  ///
  /// - Throws: `MenuShapeError` or `Refusal`.
  public func load(_ name: String) throws -> LoadedDocument<Menu> {
    isFile(name) ? try read(name) : try generate(name)
  }

  /// Whether a name means a file. A preset and a pipe do not. An existing file or a dangling link does,
  /// and so does a name that has a folder or ends in `.json` without being a shape.
  package func isFile(_ name: String) -> Bool {
    if MenuShape.Preset(rawValue: name) != nil || MenuFile.isPipe(name) { return false }
    if (try? FileManager.default.attributesOfItem(atPath: name)) != nil { return true }
    return !Self.takesParameters(name)
      && (name.contains("/") || name.hasSuffix(".json"))
  }

  /// Generates the menu of a shape. Throws `MenuShapeError`.
  package func generate(_ name: String) throws -> LoadedDocument<Menu> {
    let shape = try MenuShape(parsing: name)
    return LoadedDocument(
      name: name, origin: "generated: \(shape)", document: Menu(shape: shape),
      notes: shape.isStressTest ? ["a stress test: no store's menu is this large"] : [])
  }

  /// Reads a file. Throws `Refusal`.
  package func read(_ path: String) throws -> LoadedDocument<Menu> {
    let file = try MenuFile.load(path: path)
    return LoadedDocument(
      name: URL(fileURLWithPath: path).lastPathComponent,
      origin: "\(path), format menubench", document: file.menu, notes: file.notes)
  }

  /// Returns the longest name of a file or folder that two or more parts form, from the first on.
  package static func fileWithCommas(
    _ parts: ArraySlice<String>
  ) -> (name: String, parts: Int)? {
    (2...max(2, min(parts.count, 50))).reversed().lazy
      .map { (parts.prefix($0).joined(separator: ","), $0) }
      .first { $0.1 <= parts.count && FileManager.default.fileExists(atPath: $0.0) }
  }

  private static func isParameter(_ part: String) -> Bool {
    part.contains("=") && !part.contains("/")
      && !MenuShape.Preset.allCases.contains { part.hasPrefix($0.rawValue + ":") }
  }

  private static func takesParameters(_ name: String) -> Bool {
    isParameter(name) || name.contains(":") && name.contains("=")
  }
}
