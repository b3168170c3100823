import BenchEngine
import MenuModel
import MenuWorkloads
import PersistenceBackends
import Testing

@Suite("The names in a suite")
struct SuiteNamesTests {
  private func fault(
    _ backends: [BackendEntry<Menu>], codecs: [CodecEntry<Menu>] = [], places: [PlaceEntry] = [],
    workloads: [any Workload<Menu>] = []
  ) -> String? {
    Suite(
      backends: backends, codecs: codecs, places: places, workloads: workloads,
      source: MenuSource()
    ).misnamed
  }

  private func named(_ id: String) -> BackendEntry<Menu> {
    BackendEntry(id: id, summary: "our own", survivesRestart: false) { _ in MemoryBackend<Menu>() }
  }

  @Test("Every part of the package is found by its own name")
  func own() {
    #expect(
      fault(
        BackendRegistry.all, codecs: BackendRegistry.codecs, places: BackendRegistry.places,
        workloads: WorkloadRegistry.all) == nil)
  }

  @Test("Two parts of one kind cannot have the same name")
  func twice() {
    #expect(fault([.json, named("ours"), named("json")]) == "two backends are called 'json'")
    #expect(fault([], codecs: [.json, .plist, .json]) == "two codecs are called 'json'")
    #expect(fault([], places: [.file, .file]) == "two places are called 'file'")
    let trips: [any Workload<Menu>] = [RoundTripWorkload<Menu>(), RoundTripWorkload<Menu>()]
    #expect(fault([], workloads: trips) == "two workloads are called 'roundtrip'")
    #expect(fault([.json], codecs: [.json], places: [.memory]) == nil)
    // Both answer to the pair that one is made of.
    #expect(fault([.json, named("json@file")]) == "two backends are called 'json@file'")
    #expect(fault([named("json@file"), .json]) == nil)
    #expect(fault([.json, named("json@memory")], codecs: [.json], places: [.memory]) == nil)
  }

  @Test(
    "A text that cannot be typed is not a name", arguments: ["", "all", "ours,new", "ours:new"])
  func untypable(_ id: String) {
    #expect(fault([.json, named(id)]) == "a backend cannot be called '\(id)'")
  }

  @Test("A backend with a setting is found together with the one that it changes")
  func setting() throws {
    let sqlite = BackendEntry<Menu>.sqlite
    let set = try #require(sqlite.settings.first { $0.name == "mmap_size" }?.backend("4096"))
    #expect(fault([sqlite, set]) == nil)
    #expect(fault([sqlite, set, set]) == "two backends are called 'sqlite:mmap_size=4096'")
    #expect(fault([set]) == "a backend cannot be called 'sqlite:mmap_size=4096'")
  }
}
