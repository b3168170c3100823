import BenchProbes
import MenuModel
import PersistenceBackends
import Testing

@testable import BenchEngine
@testable import MenuWorkloads

private struct Tunable: Workload {
  typealias Document = Menu
  let name = "tunable"
  let summary = "nothing"
  let phases = [Phase("only")]
  var changes = 10
  var partner = "json"
  var durability = Durability.atomic

  static var parameters: [WorkloadParameter<Self>] {
    [
      WorkloadParameter("changes", \.changes, in: 1...1_000, standard: 10, "how many"),
      WorkloadParameter("with", \.partner, standard: "json", "with whom"),
      WorkloadParameter("safety", \.durability, standard: .atomic, "how safely"),
    ]
  }
  static var variants: [String] { ["", "changes=100", "changes=10"] }

  func iterate<B: Backend<Menu>, Clock: WallClock>(on site: WorkSite<B, Clock>, by plan: Void) {}
}

@Suite("The name of a workload")
struct WorkloadParameterTests {
  private let suite = Suite(
    backends: [.memory],
    workloads: [RoundTripWorkload<Menu>(), Tunable()] as [any Workload<Menu>], source: MenuSource())

  private func ids(_ argument: String) throws -> [String] {
    try suite.workloads(named: argument).map(\.id)
  }

  @Test("keeps the settings that are not standard, in the parameters' order")
  func settings() throws {
    #expect(try ids("tunable") == ["tunable"])
    #expect(try ids("tunable:changes=100") == ["tunable:changes=100"])
    #expect(try ids("tunable:with=flat,changes=7") == ["tunable:changes=7,with=flat"])
    #expect(try ids("tunable:changes=10") == ["tunable"])
    #expect(try ids("tunable:safety=durable") == ["tunable:safety=durable"])
    #expect(try ids("tunable:safety=atomic") == ["tunable"])
  }

  @Test("may be part of a list, in which a comma before a setting continues the name")
  func list() throws {
    #expect(
      try ids("tunable:changes=2,with=flat,roundtrip,tunable:changes=3,tunable:changes=2,with=flat")
        == ["tunable:changes=2,with=flat", "roundtrip", "tunable:changes=3"])
    #expect(try ids("all") == ["roundtrip", "tunable", "tunable:changes=100"])
  }

  @Test("gives back the workload with those settings")
  func back() throws {
    let id = try ids("tunable:with=flat,changes=7")[0]
    let found = try #require(try suite.workload(id) as? Tunable)
    #expect(found.changes == 7)
    #expect(found.partner == "flat")
  }

  @Test(
    "is refused if it means nothing, with the names that would be valid",
    arguments: [
      ("tunabel", "unknown workload 'tunabel'", ["roundtrip", "tunable"]),
      ("", "an empty workload name", ["roundtrip", "tunable"]),
      (
        "tunable:", "tunable has no setting ''",
        ["changes=1 to 1000", "with=a name", "safety=none|atomic|durable"]
      ),
      (
        "tunable:chances=3", "tunable has no setting 'chances=3'",
        ["changes=1 to 1000", "with=a name", "safety=none|atomic|durable"]
      ),
      (
        "tunable:safety=much", "'much' is not a value of tunable:safety",
        ["safety=none|atomic|durable"]
      ),
      ("tunable:changes=0", "'0' is not a value of tunable:changes", ["changes=1 to 1000"]),
      ("tunable:changes=1e3", "'1e3' is not a value of tunable:changes", ["changes=1 to 1000"]),
      ("tunable:with=", "tunable:with has no value", ["with=a name"]),
      ("roundtrip:changes=3", "roundtrip has no setting 'changes=3'", []),
    ])
  func refused(argument: String, message: String, choices: [String]) throws {
    let error = #expect(throws: WorkloadNameError.self) { try ids(argument) }
    #expect(error?.description == message)
    #expect(error?.choices == choices)
  }
}
