extension String {
  /// The text with its middle replaced by `…` where it is wider than so many columns; both ends
  /// stay, since names that begin alike often end differently.
  func shortened(to width: Int) -> String {
    guard displayWidth > width else { return self }
    guard width > 1 else { return width == 1 ? "…" : "" }
    let tail = String(String(reversed()).prefix(columns: (width - 1) / 2).reversed())
    return prefix(columns: width - 1 - tail.displayWidth) + "…" + tail
  }

  /// The longest beginning that takes at most so many columns.
  private func prefix(columns: Int) -> String {
    var (used, result) = (0, "")
    for character in self {
      used += character.displayWidth
      guard used <= columns else { break }
      result.append(character)
    }
    return result
  }

  /// The text in lines of at most so many columns, broken at spaces where there are any; all lines
  /// but the first are indented.
  package func wrapped(to width: Int, indent: Int = 0) -> [String] {
    let margin = String(repeating: " ", count: indent)
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      let isFirst = line.allSatisfy { $0 == " " }
      let candidate = isFirst ? line + word : line + " " + word
      if candidate.displayWidth <= width {
        line = candidate
        continue
      }
      if !isFirst { lines.append(line) }
      let broken = (lines.isEmpty ? String(word) : margin + word).broken(at: width, margin: margin)
      lines += broken.dropLast()
      line = broken.last ?? ""
    }
    return lines + [line]
  }

  /// A word longer than a line, cut wherever the line ends.
  private func broken(at width: Int, margin: String) -> [String] {
    var (lines, line, used) = ([String](), "", 0)
    for character in self {
      if used + character.displayWidth > width, used > margin.count {
        lines.append(line)
        (line, used) = (margin, margin.count)
      }
      line.append(character)
      used += character.displayWidth
    }
    return lines + [line]
  }

  /// The text on one line and without what would command a terminal: breaks and tabs become spaces,
  /// other control and direction characters `�`.
  var displayable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t", "\u{2028}", "\u{2029}": result.append(" ")
      case "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": result.append("\u{FFFD}")
      default:
        result.append(scalar.properties.generalCategory == .control ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}
