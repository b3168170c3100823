import BenchProbes
import BenchResults
import MenuModel
import MenuSources
import PersistenceBackends
import TestSupport
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

@Suite("The workload types")
struct TypesWorkloadTests {
  private let menu = Menu(shape: MenuShape(.small))

  private var entries: [BackendEntry<Menu>] { BackendRegistry.all }

  @Test("codes every type by every codec that takes any, and finds the values again")
  func all() throws {
    for entry in entries where TypesWorkload().refusal(of: entry) == nil {
      let outcome = try WorkloadStage.run(TypesWorkload(), on: entry, menu)
      #expect(outcome.samples == Array(repeating: 1, count: 16), "\(entry.id)")
    }
  }

  @Test("is refused where a codec takes menus alone")
  func refused() {
    let taking = entries.filter { TypesWorkload().refusal(of: $0) == nil }.map(\.id)
    #expect(
      taking == [
        "json", "plist", "sqlite-blob", "json-zstd", "json-simdjson", "userdefaults",
      ])
    let protobuf = entries.first { $0.id == "protobuf" }
    #expect(
      protobuf.flatMap { TypesWorkload().refusal(of: $0) }
        == "its codec takes menus alone, not values of any type")
  }

  @Test("has a cost a type, of encoding and decoding")
  func costs() {
    #expect(
      TypesWorkload().info.costs.map(\.name) == [
        "int", "string", "uuid", "date", "decimal", "url", "optional", "absent",
      ])
  }
}
