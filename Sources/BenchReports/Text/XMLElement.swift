/// One element of an XML text, with either text or children.
struct XMLElement {
  var name: String
  var attributes: [(name: String, value: String)] = []
  var text = ""
  var children: [XMLElement] = []

  /// The element in lines, two spaces a level; every value escaped.
  func lines(indent: Int = 0) -> [String] {
    let margin = String(repeating: "  ", count: indent)
    let start =
      margin + "<" + name
      + attributes.map { " \($0.name)=\"\($0.value.xmlEscaped)\"" }.joined()
    if !children.isEmpty {
      return [start + ">"] + children.flatMap { $0.lines(indent: indent + 1) }
        + [margin + "</\(name)>"]
    }
    return [text.isEmpty ? start + "/>" : start + ">" + text.xmlEscaped + "</\(name)>"]
  }
}
