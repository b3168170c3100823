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

  @Test("All that comes with the package is found by its own")
  func own() {
    #expect(
      fault(
        BackendRegistry.all, codecs: BackendRegistry.codecs, places: BackendRegistry.places,
        workloads: WorkloadRegistry.all) == nil)
  }

  @Test("Of two things of one kind and name the second would never be measured")
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

  @Test("What cannot be typed is no name", arguments: ["", "all", "ours,new", "ours:new"])
  func untypable(_ id: String) {
    #expect(fault([.json, named(id)]) == "a backend cannot be called '\(id)'")
  }

  @Test("A backend with a setting is found beside the one that it is set of")
  func setting() throws {
    let sqlite = BackendEntry<Menu>.sqlite
    let set = try #require(sqlite.settings.first { $0.name == "mmap_size" }?.backend("4096"))
    #expect(fault([sqlite, set]) == nil)
    #expect(fault([sqlite, set, set]) == "two backends are called 'sqlite:mmap_size=4096'")
    #expect(fault([set]) == "a backend cannot be called 'sqlite:mmap_size=4096'")
  }
}
