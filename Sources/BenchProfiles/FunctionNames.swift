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

  package static func readable(_ symbol: String) -> Readable {
    var found = Readable(name: symbol)
    if ["$s", "_$s", "$S", "_T0", "$e"].contains(where: symbol.hasPrefix),
      let full = demangled(swift: symbol)
    {
      found = shortened(swift: full)
    } else if symbol.hasPrefix("_Z"), let full = demangled(cxx: symbol) {
      found.name = shortened(cxx: full)
    }
    // Nothing is left of a few that have no name but their type.
    if found.name.allSatisfy(\.isWhitespace) { found.name = symbol }
    return found
  }

  // MARK: Swift

  /// What stands before the function that a copy was made of, or that it only leads to.
  private static let origins = [
    "generic specialization ", "generic not re-abstracted specialization ",
    "generic partial specialization ", "function signature specialization ",
    "closure signature specialization ", "capture prop specialization ",
    "specialized ", "merged ", "prespecialized ", "partial apply forwarder for ",
    "partial apply for ", "protocol witness for ",
  ]

  /// The name without copies' origins, types, generic arguments and the module.
  package static func shortened(swift full: String) -> Readable {
    var text = Substring(withoutFiles(full))
    // `(1) await resume partial function for A.b() async -> ()`
    if let place = text.firstRange(of: " resume partial function for ") {
      text = text[place.upperBound...]
    }
    while let rest = origins.lazy.compactMap({ text.after($0) }).first {
      text = rest
      // `<what for> of ` comes next, if it is told.
      if text.hasPrefix("<"), let end = closing(of: text.startIndex, in: text) {
        text = text[text.index(after: end)...]
        text = text.after(" of ") ?? text
      }
    }
    if let place = top(" in conformance ", in: text) {
      return witness(text[..<place.lowerBound], of: text[place.upperBound...])
    }
    // `closure #1 (Swift.Int) -> () in A.b() -> ()`
    if let place = top(" in ", in: text), !text.hasPrefix("(") {
      var found = shortened(swift: String(text[place.upperBound...]))
      found.name = head(text[..<place.lowerBound]) + " in " + found.name
      return found
    }
    return declaration(text)
  }

  /// `A.b()` of `A.(b in _1F2E)()`: which file a private declaration is in nobody can read in a hash.
  private static func withoutFiles(_ full: String) -> String {
    guard full.contains(" in _") else { return full }
    return full.replacing(/\(([^()]*) in _[0-9A-F]+\)/) { $0.1 }
  }

  /// A requirement by the type that meets it: `Product.encode(to:)`.
  private static func witness(_ requirement: Substring, of conformance: Substring) -> Readable {
    var type = top(" : ", in: conformance).map { conformance[..<$0.lowerBound] } ?? conformance
    // `<A where A: Swift.Decodable> Swift.Array<A>`
    if type.hasPrefix("<"), let end = closing(of: type.startIndex, in: type) {
      type = type[type.index(after: end)...].trimmingPrefix(" ")
    }
    let name = declaration(requirement).name
    var found = split(withoutGenerics(type))
    found.name += "." + (name.split(separator: ".", maxSplits: 1).last ?? "")
    return found
  }

  /// `closure #1`, `implicit closure #2`, `defer #1` without the types that follow.
  private static func head(_ text: Substring) -> String {
    guard let number = text.firstRange(of: "#") else { return declaration(text).name }
    let digits = text[number.upperBound...].prefix { $0.isNumber }
    return String(text[..<digits.endIndex])
  }

  private static func declaration(_ full: Substring) -> Readable {
    var text = full
    for prefix in ["static ", "variable initialization expression of ", "default argument 0 of "] {
      text = text.after(prefix) ?? text
    }
    var module: String?
    if let rest = text.after("(extension in "), let end = rest.firstIndex(of: ":") {
      module = String(rest[..<end].dropLast())
      text = rest[rest.index(after: end)...]
    }
    var bare = Substring(withoutGenerics(text))
    bare = top(" : ", in: bare).map { bare[..<$0.lowerBound] } ?? bare
    var found: Readable
    if let open = bare.firstIndex(of: "("), let close = closing(of: open, in: bare) {
      found = split(String(bare[..<open]))
      // Nothing but a type.
      if found.name.isEmpty { return Readable(name: String(bare), module: module) }
      found.name += "(" + labels(bare[bare.index(after: open)..<close]) + ")"
    } else {
      found = split(String(bare))
    }
    found.module = module ?? found.module
    return found
  }

  /// `_:to:` of `Swift.Int, to: Swift.String`.
  private static func labels(_ parameters: Substring) -> String {
    guard !parameters.isEmpty else { return "" }
    var (labels, rest) = ("", parameters[...])
    while !rest.isEmpty {
      let end = top(", ", in: rest)
      let parameter = rest[..<(end?.lowerBound ?? rest.endIndex)]
      rest = end.map { rest[$0.upperBound...] } ?? ""
      let label = top(": ", in: parameter).map { parameter[..<$0.lowerBound].trimmingPrefix(" ") }
      labels += label.map { $0.contains(" ") || $0.contains(".") ? "_" : $0 } ?? "_"
      labels += ":"
    }
    return labels
  }

  /// A path apart from its module.
  private static func split(_ path: String) -> Readable {
    guard let dot = path.firstIndex(of: "."), dot != path.startIndex else {
      return Readable(name: path)
    }
    let rest = path[path.index(after: dot)...]
    // `outlined copy of Swift.Int`
    let first = path[..<dot].split(separator: " ").last ?? ""
    let isName = first.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    // An operator, or nothing, is no path.
    let isPath = rest.first.map { $0.isLetter || "_(".contains($0) || !path.contains(" ") } ?? false
    return Readable(name: isPath ? String(rest) : path, module: isName ? String(first) : nil)
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
    top(text[open] == "(" ? ")" : ">", in: text[text.index(after: open)...])?.lowerBound
  }

  /// Where a text stands outside of all brackets.
  private static func top(_ wanted: String, in text: Substring) -> Range<Substring.Index>? {
    var depth = 0
    var before: Character = " "
    for index in text.indices {
      let character = text[index]
      // `->` closes nothing.
      let isArrow = character == ">" && before == "-"
      if depth == 0, !isArrow, text[index...].hasPrefix(wanted) {
        return index..<text.index(index, offsetBy: wanted.count)
      }
      if character == "(" || character == "<" { depth += 1 }
      if character == ")" || character == ">", !isArrow { depth = max(0, depth - 1) }
      before = character
    }
    return nil
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
  /// What comes after a beginning; nil where there is another.
  func after(_ prefix: String) -> Substring? {
    hasPrefix(prefix) ? dropFirst(prefix.count) : nil
  }
}
