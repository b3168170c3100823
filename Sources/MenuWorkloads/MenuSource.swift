import BenchEngine
import BenchResults
import Foundation
import MenuModel
import MenuSources

/// Menus from the command line: a preset shape, a shape by hand, or a file in our format.
public struct MenuSource: DocumentSource {
  /// Makes the source.
  public init() {}

  /// The preset shapes.
  public var presets: [(name: String, summary: String)] {
    MenuShape.Preset.allCases.map { ($0.rawValue, $0.summary) }
  }

  /// A real store's menu, which has everything that larger ones have.
  public var quickPreset: String? { MenuShape.Preset.small.rawValue }

  /// Splits at commas, and keeps the `key=value` parts of one shape together, until `products` comes
  /// again: `small,products=5,combos=2,slots=4,options=3,products=9,menu.json` names four menus. Parts
  /// that make the name of a file that is there stay together as well.
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

  /// Those of ordering apps.
  public var needs: [NeedInfo] { NeedInfo.ofMenus }

  /// The shape with about so many slot options; nil of a file.
  public func sized(_ name: String, at size: Int) -> String? {
    guard !isFile(name), let shape = try? MenuShape(parsing: name) else { return nil }
    return shape.sized(options: size)?.description
  }

  /// Generates or reads the menu of one name, and checks its references.
  ///
  /// - Throws: `MenuShapeError` or `Refusal`.
  public func load(_ name: String) throws -> LoadedDocument<Menu> {
    isFile(name) ? try read(name) : try generate(name)
  }

  /// Whether a name means a file: it has a file's ending or a folder in it, or a file of that name is
  /// there and no preset is; a link that leads nowhere is there.
  package func isFile(_ name: String) -> Bool {
    if MenuShape.Preset(rawValue: name) != nil { return false }
    if (try? FileManager.default.attributesOfItem(atPath: name)) != nil { return true }
    return !Self.takesParameters(name)
      && (name.contains("/") || name.hasSuffix(".json"))
  }

  /// Generates the menu of a shape; throws `MenuShapeError`.
  package func generate(_ name: String) throws -> LoadedDocument<Menu> {
    let shape = try MenuShape(parsing: name)
    return LoadedDocument(
      name: name, origin: "generated: \(shape)", document: Menu(shape: shape),
      notes: shape.isStressTest ? ["a stress test: no store's menu is this large"] : [])
  }

  /// Reads a file; throws `Refusal`.
  package func read(_ path: String) throws -> LoadedDocument<Menu> {
    let file = try MenuFile.load(path: path)
    return LoadedDocument(
      name: URL(fileURLWithPath: path).lastPathComponent,
      origin: "\(path), format menubench", document: file.menu, notes: file.notes)
  }

  /// The longest name of a file or folder that two and more parts make, from the first on.
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
