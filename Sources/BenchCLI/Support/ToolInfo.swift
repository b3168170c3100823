/// The program's name and version.
enum ToolInfo {
  static let name = "MenuBench"
  static let version = "0.1.0"
}
