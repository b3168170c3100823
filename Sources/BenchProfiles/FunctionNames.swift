import Foundation

/// Converts a linker's name for a function to a readable one, such as `LMDBBackend.write(_:)`.
///
/// The runtimes of Swift and C++ demangle their own names (`swift_demangle`, `__cxa_demangle`), as
/// the ABIs define them (swift/docs/ABI/Mangling.rst; Itanium C++ ABI 5.1). The readable name
/// leaves out the types of parameters and results. It leaves out what comes before the module, such
/// as what a copy was made for, and the module, which a frame has separately.
package enum FunctionNames {
  /// A function's name, and its module if the name contains it.
  package typealias Readable = (name: String, module: String?)

  package static func readable(_ symbol: String) -> Readable {
    var found: Readable = (symbol, nil)
    if let full = demangled(swift: symbol) {
      found = shortened(swift: full)
    } else if symbol.hasPrefix("_Z"), let full = demangled(cxx: symbol) {
      found.name = shortened(cxx: full)
    }
    return found
  }

  /// Returns the name without the origins of copies, types, generic arguments and the module.
  package static func shortened(swift full: String) -> Readable {
    // Drop the hash of the file that a private declaration is in: `A.(b in _1F2E)()`.
    let named =
      full.contains(" in _") ? full.replacing(/\(([^()]*) in _[0-9A-F]+\)/) { $0.1 } : full
    var text = withoutGenerics(named)
    // `(1) await resume partial function for A.b() async -> ()`
    if let place = text.firstRange(of: " resume partial function for ") {
      text = text[place.upperBound...]
    }
    if let place = top(" in conformance ", in: text) {
      return witness(text[..<place.lowerBound], of: text[place.upperBound...])
    }
    // `closure #1 (Swift.Int) -> () in A.b() -> ()`
    if let place = top(" in ", in: text), !text.hasPrefix("(") {
      var found = shortened(swift: String(text[place.upperBound...]))
      let head = text[..<place.lowerBound]
      let number = head.firstMatch(of: /(?:implicit )?\w+ #\d+/)?.output
      found.name = (number.map(String.init) ?? declaration(head).name) + " in " + found.name
      return found
    }
    return declaration(text)
  }

  /// Names a requirement by the type that satisfies it, such as `Product.encode(to:)`.
  private static func witness(_ requirement: Substring, of conformance: Substring) -> Readable {
    let type = top(" : ", in: conformance).map { conformance[..<$0.lowerBound] } ?? conformance
    var found = split(type)
    let name = declaration(requirement).name
    found.name += "." + (name.split(separator: ".", maxSplits: 1).last ?? "")
    return found
  }

  private static func declaration(_ full: Substring) -> Readable {
    var text = full
    var module: String?
    // `static (extension in GRDB):GRDB.TableRecord.fetchCount()`
    if let found = text.prefixMatch(of: /[^(]*\(extension in (\w+)\):/) {
      module = String(found.1)
      text = text[found.range.upperBound...]
    }
    text = top(" : ", in: text).map { text[..<$0.lowerBound] } ?? text
    let open = text.firstIndex(of: "(") ?? text.endIndex
    var found = split(text[..<open])
    // The text is only a type.
    if found.name.isEmpty { found.name = String(text) }
    if open > text.startIndex, let close = top(")", in: text[open...].dropFirst()) {
      found.name += "(" + labels(text[open..<close.lowerBound].dropFirst()) + ")"
    }
    found.module = module ?? found.module
    return found
  }

  /// Returns `_:to:` for `Swift.Int, to: Swift.String`.
  private static func labels(_ parameters: Substring) -> String {
    var (labels, rest) = ("", parameters)
    while !rest.isEmpty {
      let label = rest.prefixMatch(of: /(\w+):\s/)?.1 ?? "_"
      labels += label + ":"
      rest = top(", ", in: rest).map { rest[$0.upperBound...] } ?? ""
    }
    return labels
  }

  /// Splits a path into its name and its module.
  private static func split(_ path: Substring) -> Readable {
    guard let dot = path.firstIndex(of: ".") else { return (String(path), nil) }
    // `outlined copy of Swift.Int`
    let module = path[..<dot].split { !($0.isLetter || $0.isNumber || $0 == "_") }.last
    return (String(path[path.index(after: dot)...]), module.map(String.init))
  }

  private static func withoutGenerics(_ text: String) -> Substring {
    var (kept, depth) = (Substring(), 0)
    var before: Character = " "
    for character in text {
      let opens = before.isLetter || before.isNumber || "_)> ".contains(before)
      if character == "<", depth > 0 || opens {
        depth += 1
      } else if character == ">", depth > 0, before != "-" {
        depth -= 1
      } else if depth == 0, character != " " || (kept.last ?? " ") != " " {
        kept.append(character)
      }
      before = character
    }
    return depth == 0 ? kept : text[...]
  }

  /// Returns where a text occurs outside of all parentheses.
  private static func top(_ wanted: String, in text: Substring) -> Range<Substring.Index>? {
    var depth = 0
    for index in text.indices {
      if depth == 0, text[index...].hasPrefix(wanted) {
        return index..<text.index(index, offsetBy: wanted.count)
      }
      if text[index] == "(" { depth += 1 }
      if text[index] == ")" { depth = max(0, depth - 1) }
    }
    return nil
  }

  private typealias Text = UnsafeMutablePointer<CChar>

  private static func demangled(swift symbol: String) -> String? {
    typealias Demangle =
      @convention(c) (UnsafePointer<CChar>, Int, Text?, OpaquePointer?, UInt32) -> Text?
    return called("swift_demangle", as: Demangle.self) {
      $0(symbol, symbol.utf8.count, nil, nil, 0)
    }
  }

  private static func demangled(cxx symbol: String) -> String? {
    typealias Demangle =
      @convention(c) (UnsafePointer<CChar>, Text?, OpaquePointer?, OpaquePointer?) -> Text?
    return called("__cxa_demangle", as: Demangle.self) { $0(symbol, nil, nil, nil) }
  }

  private static func shortened(cxx full: String) -> String {
    // The parenthesis of `(anonymous namespace)` does not start a list of parameters.
    let bare = withoutGenerics(full.replacing("(anonymous namespace)::", with: ""))
    let path = bare.prefix { $0 != "(" }
    // The name of a template begins with the type of the result.
    guard let space = path.lastIndex(of: " "), !path[..<space].hasSuffix("operator") else {
      return String(path)
    }
    return String(path[path.index(after: space)...])
  }

  /// Returns the text of a runtime's function, which allocates it for the caller.
  private static func called<Function>(
    _ name: String, as _: Function.Type, _ call: (Function) -> Text?
  ) -> String? {
    guard let found = dlsym(nil, name), let text = call(unsafeBitCast(found, to: Function.self))
    else { return nil }
    defer { free(text) }
    return String(cString: text)
  }
}
