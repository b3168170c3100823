import Testing

@testable import BenchProfiles

@Suite("A function's readable name")
struct FunctionNamesTests {
  @Test(
    "has no types, generic arguments, copies or module",
    arguments: [
      (
        "LMDBBackend.LMDBBackend.write(Foundation.Data) throws -> ()", "LMDBBackend.write(_:)"
      ),
      ("MenuModel.Menu.init(from: Swift.Decoder) throws -> MenuModel.Menu", "Menu.init(from:)"),
      (
        "generic specialization <MenuModel.Product> of Swift.Array.append(__owned A) -> ()",
        "Array.append(_:)"
      ),
      (
        "generic specialization <Serialized, Swift.Int> of (extension in Foundation):Swift.Array.sum<A where A == Swift.Int>(by: (A) -> A) -> A",
        "Array.sum(by:)"
      ),
      (
        "closure #1 (Swift.UnsafeRawBufferPointer) throws -> () in LMDBBackend.LMDBBackend.write(Foundation.Data) throws -> ()",
        "closure #1 in LMDBBackend.write(_:)"
      ),
      (
        "merged closure #2 () -> Swift.Int in closure #1 () -> () in A.B.c() -> ()",
        "closure #2 in closure #1 in B.c()"
      ),
      (
        "function signature specialization <Arg[0] = Dead> of static MenuModel.Menu.== infix(MenuModel.Menu, MenuModel.Menu) -> Swift.Bool",
        "Menu.== infix(_:_:)"
      ),
      (
        "protocol witness for Swift.Encodable.encode(to: Swift.Encoder) throws -> () in conformance MenuModel.Product : Swift.Encodable in MenuModel",
        "Product.encode(to:)"
      ),
      (
        "protocol witness for Swift.Decodable.init(from: Swift.Decoder) throws -> A in conformance <A where A: Swift.Decodable> Swift.Array<A> : Swift.Decodable in Swift",
        "Array.init(from:)"
      ),
      ("MenuModel.Menu.products.getter : [MenuModel.Product]", "Menu.products.getter"),
      ("Swift.String.utf8.getter : Swift.String.UTF8View", "String.utf8.getter"),
      (
        "static (extension in GRDB):GRDB.TableRecord.fetchCount(GRDB.Database) throws -> Swift.Int",
        "TableRecord.fetchCount(_:)"
      ),
      (
        "Foundation.X.f(encoding: (extension in FoundationEssentials):Swift.String.Encoding) -> ()",
        "X.f(encoding:)"
      ),
      (
        "(8) await resume partial function for A.B.c(Swift.Int) async -> ()", "B.c(_:)"
      ),
      (
        "BackendKit.storing<A>(Swift.String, Swift.String, () throws -> A) throws -> A",
        "storing(_:_:_:)"
      ),
    ])
  func shortened(full: String, expected: String) {
    #expect(FunctionNames.shortened(swift: full).name == expected)
  }

  @Test("is unchanged for C, and demangled C++ for the runtime's functions")
  func otherLanguages() {
    #expect(FunctionNames.readable("sqlite3_step").name == "sqlite3_step")
    #expect(
      FunctionNames.readable("_ZN5swift8metadata4findEPKvi").name == "swift::metadata::find")
    // `swift::(anonymous namespace)::find(int)`
    #expect(FunctionNames.readable("_ZN5swift12_GLOBAL__N_14findEi").name == "swift::find")
  }

  @Test(
    "has its module",
    arguments: [
      ("$sSa6appendyyxnF", "Swift"),
      ("$s9MenuModel0A0V2idSivg", "MenuModel"),
    ])
  func modules(symbol: String, module: String) {
    #expect(FunctionNames.readable(symbol).module == module)
  }
}
