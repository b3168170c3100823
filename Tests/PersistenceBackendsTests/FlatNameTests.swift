import MenuModel
import PersistenceBackends
import Testing

@testable import BackendKit
@testable import MappedBackends
@testable import ProtobufBackends
@testable import SQLBackends

@Suite("The flat backend's search")
struct FlatNameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("finds names as the reference does")
  func search() throws {
    let backend = FlatBackend(folder.store())
    let queries =
      [
        "", "пеп", "ПЕП", "е", "ё", "Ё", "й", "и", "\u{306}", "é", "E\u{301}", "a", "A", "кола",
        "нет такого",
      ]
      + Fixtures.texts.dropLast()
    let marks = ("marks", Fixtures.marks)
    for (name, menu) in FlatBackendTests.menus + [marks]
      + (1...40).map({ ("\($0)", Fixtures.random($0)) })
    {
      try replace(menu, in: backend)
      for query in queries {
        let found = try backend.products(named: query)
        #expect(found == NameSearch.products(of: menu, named: query), "\(query) in \(name)")
      }
    }
  }
}
