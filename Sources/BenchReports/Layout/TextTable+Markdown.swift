extension TextTable {
  /// The table as GitHub-flavoured Markdown, every text escaped.
  var markdown: [String] {
    let rule = columns.map { $0.isNumber ? "---:" : "---" }
    let texts = ([columns.map(\.title)] + rows).map { $0.map(\.markdownEscaped) }
    return ([texts[0], rule] + texts.dropFirst()).map {
      "| " + $0.joined(separator: " | ") + " |"
    }
  }
}

extension String {
  /// The text as HTML that shows it as it is, on one line.
  var htmlEscaped: String {
    let entities: [Character: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;"]
    return displayable.map { entities[$0] ?? String($0) }.joined()
  }

  /// The text as Markdown that shows it as it is, on one line, in a table or out of it.
  var markdownEscaped: String {
    displayable.reduce(into: "") { result, character in
      if "\\|*`[]<>".contains(character) { result.append("\\") }
      result.append(character)
    }
  }
}
