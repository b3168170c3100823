import MenuModel
import Testing

/// One way to break a valid menu, and what the check then says.
struct Breakage: Sendable, CustomTestStringConvertible {
  let problems: [String]
  let apply: @Sendable (inout Menu) -> Void

  init(_ problems: String..., apply: @escaping @Sendable (inout Menu) -> Void) {
    self.problems = problems
    self.apply = apply
  }

  var testDescription: String { problems.joined(separator: "; ") }

  func check(sourceLocation: SourceLocation = #_sourceLocation) {
    var menu = Menu.valid
    apply(&menu)
    #expect(menu.problems().map(\.description) == problems, sourceLocation: sourceLocation)
  }
}
