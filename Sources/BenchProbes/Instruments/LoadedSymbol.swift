import Basics

/// A function of a library that is loaded, or not.
enum LoadedSymbol {
  /// The function of that name; nil where no library of the process has one.
  static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Darwin)
      let anyLibrary = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let anyLibrary: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(anyLibrary, name).map { unsafeBitCast($0, to: type) }
  }
}
