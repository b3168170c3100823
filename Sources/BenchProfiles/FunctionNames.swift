import Basics
import Foundation

/// Makes of a linker's name for a function the one that people read: `LMDBBackend.write(_:)`.
///
/// Swift's and C++'s names are taken apart by their own runtimes (`swift_demangle`, `__cxa_demangle`), as the
/// ABIs define them (swift/docs/ABI/Mangling.rst; Itanium C++ ABI 5.1). What is then left out: the types of
/// parameters and results, what a generic function was specialised for, and the module, which a frame
/// has apart.
package enum FunctionNames {
  /// A function's name and the module that it is of, where its name tells.
  package struct Readable: Hashable, Sendable {
    package var name: String
    package var module: String?
  }

  /// A readable name.
  package static func readable(_ symbol: String) -> Readable {
    var found = shortened(symbol)
    // Nothing is left of a few that have no name but their type.
    if found.name.allSatisfy(\.isWhitespace) { found.name = symbol }
    return found
  }

  private static func shortened(_ symbol: String) -> Readable {
    if isSwift(symbol), let full = demangled(swift: symbol).map(withoutFiles) {
      return Readable(name: shortened(swift: full), module: module(of: full))
    }
    if symbol.hasPrefix("_Z"), let full = demangled(cxx: symbol) {
      return Readable(name: shortened(cxx: full), module: nil)
    }
    return Readable(name: symbol, module: nil)
  }

  private static func isSwift(_ symbol: String) -> Bool {
    ["$s", "_$s", "$S", "_T0", "$e"].contains { symbol.hasPrefix($0) }
  }

  // MARK: Swift

  /// What stands before the function that a copy was made of.
  private static let copies = [
    "generic specialization ", "generic not re-abstracted specialization ",
    "generic partial specialization ", "function signature specialization ",
    "closure signature specialization ", "capture prop specialization ",
    "specialized ", "merged ", "prespecialized ",
  ]

  /// The name without copies' origins, types, generic arguments and the module.
  package static func shortened(swift full: String) -> String {
    var text = Substring(full)
    var isWitness = false
    while true {
      if let copy = copies.first(where: { text.hasPrefix($0) }) {
        text = text.dropFirst(copy.count)
        // `<what for> of ` comes next, if it is told.
        if text.hasPrefix("<"), let end = closing(of: text.startIndex, in: text) {
          text = text[text.index(after: end)...]
          if text.hasPrefix(" of ") { text = text.dropFirst(4) }
        }
      } else if let start = text.after("protocol witness for ") {
        text = start
        isWitness = true
      } else if let start = text.after("partial apply forwarder for ")
        ?? text.after("partial apply for ")
      {
        text = start
      } else {
        break
      }
    }
    if isWitness, let conformance = top(" in conformance ", in: text) {
      return witness(text[..<conformance.lowerBound], text[conformance.upperBound...])
    }
    // `closure #1 (Swift.Int) -> () in A.b() -> ()`
    if let place = top(" in ", in: text), !text.hasPrefix("(") {
      return shortened(head: text[..<place.lowerBound]) + " in "
        + shortened(swift: String(text[place.upperBound...]))
    }
    return shortened(declaration: text)
  }

  /// `A.b()` of `A.(b in _1F2E)()`: which file a private declaration is in nobody can read in a hash.
  private static func withoutFiles(_ full: String) -> String {
    var (kept, rest) = ("", Substring(full))
    while let place = rest.firstRange(of: " in _") {
      let (name, hash) = (rest[..<place.lowerBound], rest[place.upperBound...])
      let end = hash.firstIndex { !$0.isHexDigit }
      guard let end, hash[end] == ")", let open = name.lastIndex(of: "(") else {
        kept += rest[..<place.upperBound]
        rest = hash
        continue
      }
      kept += name[..<open] + name[name.index(after: open)...]
      rest = hash[hash.index(after: end)...]
    }
    return kept + rest
  }

  /// A requirement by the type that meets it: `Product.encode(to:)`.
  private static func witness(_ requirement: Substring, _ conformance: Substring) -> String {
    var type = top(" : ", in: conformance).map { conformance[..<$0.lowerBound] } ?? conformance
    // `<A where A: Swift.Decodable> Swift.Array<A>`
    if type.hasPrefix("<"), let end = closing(of: type.startIndex, in: type) {
      type = type[type.index(after: end)...].trimmingPrefix(" ")
    }
    let name = shortened(declaration: requirement)
    let member = name.split(separator: ".", maxSplits: 1).last.map(String.init) ?? name
    return withoutModule(withoutGenerics(type)) + "." + member
  }

  private static func shortened(head: Substring) -> String {
    // `closure #1`, `implicit closure #2`, `defer #1`: what follows are types.
    guard let number = head.firstRange(of: "#") else { return shortened(declaration: head) }
    let digits = head[number.upperBound...].prefix { $0.isNumber }
    return String(head[..<digits.endIndex])
  }

  private static func shortened(declaration: Substring) -> String {
    var text = declaration
    if text.hasPrefix("("), text.contains("extension in "),
      let end = text.firstIndex(of: ":")
    {
      text = text[text.index(after: end)...]
    }
    for prefix in ["static ", "variable initialization expression of ", "default argument 0 of "] {
      if let rest = text.after(prefix) { text = rest }
    }
    let bare = Substring(withoutGenerics(text))
    guard let open = bare.firstIndex(of: "("), let close = closing(of: open, in: bare) else {
      let name = top(" : ", in: bare).map { bare[..<$0.lowerBound] } ?? bare
      return withoutModule(String(name))
    }
    let name = withoutModule(String(bare[..<open]))
    guard !name.isEmpty else { return String(bare) }
    return name + "(" + labels(bare[bare.index(after: open)..<close]) + ")"
  }

  /// `_:to:` of `Swift.Int, to: Swift.String`.
  private static func labels(_ parameters: Substring) -> String {
    guard !parameters.isEmpty else { return "" }
    return split(parameters).map { parameter in
      guard let colon = top(": ", in: parameter) else { return "_:" }
      let label = parameter[..<colon.lowerBound].trimmingPrefix(" ")
      return label.contains(" ") || label.contains(".") ? "_:" : label + ":"
    }.joined()
  }

  /// The first part of a declaration's path, which is its module.
  private static func module(of full: String) -> String? {
    // Of a copy or a closure, that of what it is of: what stands last.
    let name = shortenedPath(full)
    guard let dot = name.firstIndex(of: "."), dot != name.startIndex else { return nil }
    let first = name[..<dot]
    return first.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? String(first) : nil
  }

  private static func shortenedPath(_ full: String) -> Substring {
    var text = Substring(full)
    while let place = top(" in conformance ", in: text) { text = text[place.upperBound...] }
    while let place = top(" of ", in: text) { text = text[place.upperBound...] }
    while let place = top(" in ", in: text), !text.hasPrefix("(") {
      // A conformance ends with the module that declares it.
      if text[..<place.lowerBound].contains(" : ") { break }
      text = text[place.upperBound...]
    }
    for prefix in ["static ", "merged ", "protocol witness for ", "partial apply forwarder for "] {
      if let rest = text.after(prefix) { text = rest }
    }
    if let start = text.after("(extension in ") { return start.replacingColon() }
    return text
  }

  private static func withoutModule(_ path: String) -> String {
    guard let dot = path.firstIndex(of: "."), dot != path.startIndex else { return path }
    let rest = path[path.index(after: dot)...]
    // An operator, or nothing, is no path.
    guard let first = rest.first,
      first.isLetter || first == "_" || first == "(" || !path.contains(" ")
    else { return path }
    return String(rest)
  }

  private static func withoutGenerics(_ text: Substring) -> String {
    var (kept, depth) = ("", 0)
    var before: Character = " "
    for (index, character) in zip(text.indices, text) {
      let next = text.index(after: index)
      let isList = before.isLetter || before.isNumber || before == "_" || before == ")"
      if character == "<", depth > 0 || (isList && next < text.endIndex && text[next] != " ") {
        depth += 1
      } else if character == ">", depth > 0, before != "-" {
        depth -= 1
      } else if depth == 0 {
        kept.append(character)
      }
      before = character
    }
    return depth == 0 ? kept : String(text)
  }

  /// The bracket that closes the one at an index.
  private static func closing(of open: Substring.Index, in text: Substring) -> Substring.Index? {
    let pairs: [Character: Character] = ["(": ")", "<": ">"]
    guard let close = pairs[text[open]] else { return nil }
    var depth = 0
    var before: Character = " "
    for index in text[open...].indices {
      if text[index] == text[open] { depth += 1 }
      if text[index] == close, before != "-" {
        depth -= 1
        if depth == 0 { return index }
      }
      before = text[index]
    }
    return nil
  }

  /// Where a text stands outside of all brackets.
  private static func top(_ wanted: String, in text: Substring) -> Range<Substring.Index>? {
    var depth = 0
    var before: Character = " "
    for index in text.indices {
      let character = text[index]
      if depth == 0, text[index...].hasPrefix(wanted) {
        return index..<text.index(index, offsetBy: wanted.count)
      }
      if character == "(" || character == "<" { depth += 1 }
      if character == ")" || (character == ">" && before != "-") { depth = max(0, depth - 1) }
      before = character
    }
    return nil
  }

  private static func split(_ list: Substring) -> [Substring] {
    var (parts, rest): ([Substring], Substring) = ([], list)
    while let comma = top(", ", in: rest) {
      parts.append(rest[..<comma.lowerBound])
      rest = rest[comma.upperBound...]
    }
    return parts + [rest]
  }

  private typealias SwiftDemangle =
    @convention(c) (
      UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
    ) -> UnsafeMutablePointer<CChar>?

  private static let swiftDemangle = function("swift_demangle", as: SwiftDemangle.self)

  private static func demangled(swift symbol: String) -> String? {
    symbol.withCString { name in
      guard let text = swiftDemangle?(name, strlen(name), nil, nil, 0) else { return nil }
      defer { free(text) }
      return String(cString: text)
    }
  }

  // MARK: C++

  private typealias CxxDemangle =
    @convention(c) (
      UnsafePointer<CChar>?, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?,
      UnsafeMutablePointer<Int32>?
    ) -> UnsafeMutablePointer<CChar>?

  private static let cxxDemangle = function("__cxa_demangle", as: CxxDemangle.self)

  private static func demangled(cxx symbol: String) -> String? {
    guard let text = cxxDemangle?(symbol, nil, nil, nil) else { return nil }
    defer { free(text) }
    return String(cString: text)
  }

  private static func shortened(cxx full: String) -> String {
    // Its bracket opens no list of parameters.
    let full = full.replacing("(anonymous namespace)::", with: "")
    let bare = Substring(withoutGenerics(Substring(full)))
    let path = bare.firstIndex(of: "(").map { String(bare[..<$0]) } ?? String(bare)
    // Of a template the type of the result stands before it.
    guard let space = path.lastIndex(of: " "), !path[..<space].hasSuffix("operator") else {
      return path
    }
    return String(path[path.index(after: space)...])
  }

  private static func function<Function>(_ name: String, as _: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: Function.self) }
  }
}

extension Substring {
  fileprivate func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }

  /// `Foundation):Swift.String` as the path of what extends: its module, then the rest.
  fileprivate func replacingColon() -> Substring {
    guard let end = firstIndex(of: ")") else { return self }
    return self[..<end] + "." + self[end...].dropFirst(2)
  }
}
