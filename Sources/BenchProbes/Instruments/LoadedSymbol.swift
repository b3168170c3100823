import Basics

/// Finds functions of libraries that may or may not be loaded.
enum LoadedSymbol {
  /// Returns the function with this name, or nil if no loaded library has it.
  static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    #if canImport(Darwin)
      let anyLibrary = UnsafeMutableRawPointer(bitPattern: -2)
    #else
      let anyLibrary: UnsafeMutableRawPointer? = nil
    #endif
    return dlsym(anyLibrary, name).map { unsafeBitCast($0, to: type) }
  }
}
