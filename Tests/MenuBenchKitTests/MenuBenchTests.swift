import BenchEngine
import BenchResults
import Foundation
import MenuBenchKit
import MenuBenchSQLite
import MenuModel
import MenuSources
import Testing

@Suite("A run in one process")
struct MenuBenchTests {
  private static let quick = MenuBench.Options(blocks: 2, allowsDebugBuild: true)

  private func series(
    _ run: RunRecord, _ backend: String, _ phase: String, _ metric: Metric
  ) -> Series? {
    run.cells.first {
      $0.cell.backend == backend && $0.phase == phase && $0.metric == metric
    }
  }

  @Test("It has times and sizes of every storage, names itself, and reads back equal")
  func measures() async throws {
    let run = try await MenuBench.run(
      [.json, .sqlite, .memory], menu: .small, options: Self.quick)
    #expect(run.settings.oneProcess == true)
    #expect(run.tool.name == "MenuBenchKit")
    #expect(run.backends.map(\.id) == ["json", "sqlite", "memory"])
    #expect(run.menus.map(\.name) == ["small"])
    #expect(run.failures == [])
    #expect(run.outcomes.map(\.timedBlocks) == [2, 2, 2])
    #expect(run.outcomes.map(\.stop) == [.blocks, .blocks, .blocks])
    for backend in ["json", "sqlite", "memory"] {
      for phase in ["encode", "write", "read", "decode"] {
        #expect(series(run, backend, phase, .wall)?.blocks.count == 2, "\(backend) \(phase)")
      }
    }
    #expect(series(run, "json", "control", .wall)?.blocks.count == 2)
    #expect(series(run, "json", "floor-write", .wall)?.blocks.count == 2)
    let menu = Menu(shape: MenuShape(.small))
    let sizes = try [menu, menu.revised(1)].map { Double(try JSONEncoder().encode($0).count) }
    let payload = try #require(series(run, "json", "encode", .payloadBytes)?.blocks)
    let stored = try #require(series(run, "json", "write", .storedBytes)?.blocks)
    #expect(Set(payload.joined()).union(stored.joined()) == Set(sizes))
    #expect(run.machine.sqlite?.hasPrefix("3.") == true)
    let file = FileManager.default.temporaryDirectory.appending(path: "run-\(UUID()).json").path
    defer { try? FileManager.default.removeItem(atPath: file) }
    try RunFile.write(run, to: file)
    #expect(try RunFile.read(file) == run)
  }

  @Test("A count of a whole process has a reason in every phase, and no value")
  func uncounted() async throws {
    let run = try await MenuBench.run([.json], menu: .small, options: Self.quick)
    let counted: [Metric] = [
      .cpu, .allocations, .allocatedBytes, .peakHeapBytes, .peakRSSBytes, .pageFaults, .readBytes,
      .writtenBytes, .readCalls, .writeCalls, .instructions,
    ]
    let reason = "it is counted for a whole process, and this one also runs the app"
    for metric in counted {
      #expect(run.machine.unsupported[metric.id] == reason)
      for phase in ["open", "encode", "write", "read", "decode", "release"] {
        let found = series(run, "json", phase, metric)
        #expect(found?.unsupported == reason, "\(metric.id) \(phase)")
        #expect(found?.blocks == [])
      }
    }
    #expect(!run.cells.contains { $0.metric == .touchedBytes })
  }

  @Test("A product's warm phases are measured, and its cold phases have a reason")
  func cold() async throws {
    let run = try await MenuBench.run(
      [.json], menu: .small, workloads: ["product"], options: Self.quick)
    #expect(series(run, "json", "product", .wall)?.blocks.count == 2)
    let counted = "it is counted for a whole process, and this one also runs the app"
    #expect(series(run, "json", "product", .touchedBytes)?.unsupported == counted)
    let cold = run.cells.filter { ["cold-product", "start"].contains($0.phase) }
    let reasons = cold.filter { $0.metric == .wall }.map(\.unsupported)
    let reason = "it needs fresh processes, and none can be started here"
    #expect(reasons == [reason, reason])
    #expect(cold.allSatisfy { $0.blocks.isEmpty })
  }

  @Test("A storage that changes its menu has no figures, and the others have theirs")
  func changes() async throws {
    let older = BackendEntry<Menu>(
      id: "older", summary: "hands out the revision before", survivesRestart: false
    ) { _ in OlderMenus() }
    let run = try await MenuBench.run([.json, older], menu: .small, options: Self.quick)
    #expect(run.failures.map(\.cell.backend) == ["older"])
    #expect(run.failures.first?.reason.hasPrefix("the document read back differs") == true)
    #expect(!run.cells.contains { $0.cell.backend == "older" })
    #expect(series(run, "json", "decode", .wall)?.blocks.count == 2)
  }

  @Test("A storage that keeps its files elsewhere has no size but a reason")
  func elsewhere() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let entry = BackendEntry<Menu>(
      id: "elsewhere", summary: "JSON beside the store's folder", codec: JSONCodec()
    ) { store in
      FilePlace(StoreContext(folder: folder, durability: store.durability), name: "menu.json")
    }
    let run = try await MenuBench.run([entry], menu: .small, options: Self.quick)
    #expect(run.failures == [])
    for metric: Metric in [.storedBytes, .storedPeakBytes] {
      let found = series(run, "elsewhere", "write", metric)
      #expect(
        found?.unsupported
          == "the store's folder is empty: data elsewhere is not counted")
      #expect(found?.blocks == [])
    }
  }

  @Test("Stores are made in the given folder, and nothing is left there")
  func folder() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "kit-\(UUID())")
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = Self.quick
    options.folder = folder
    options.tags = ["device": "phone"]
    let run = try await MenuBench.run(
      [.plist], menu: .menu(Menu(shape: MenuShape(.small)), named: "ours"), options: options)
    #expect(run.settings.storage == folder.path)
    #expect(run.settings.tags == ["device": "phone"])
    #expect(run.menus.map(\.source) == ["the app's own"])
    #expect(Set(run.cells.map(\.cell.menu)) == ["ours"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("Progress counts all blocks: one that counts, and the timed ones")
  func progress() async throws {
    let counted = Counted()
    _ = try await MenuBench.run(
      [.memory, .json], menu: .small, options: Self.quick
    ) { done, total in
      counted.add("\(done) of \(total)")
    }
    #expect(counted.lines == (1...6).map { "\($0) of 6" })
  }

  @Test("A measurement that is impossible here is refused with the reason and a remedy")
  func refused() async throws {
    func refusal(
      _ storages: [BackendEntry<Menu>] = [.memory], menu: MenuChoice = .small,
      workloads: [String] = ["roundtrip"], options: MenuBench.Options = Self.quick
    ) async -> String? {
      do {
        _ = try await MenuBench.run(storages, menu: menu, workloads: workloads, options: options)
        return nil
      } catch {
        return (error as? MenuBenchRefusal)?.description
      }
    }
    #expect(await refusal([]) == "there is no storage to measure: give one, such as .json")
    #expect(
      await refusal([.json, .memory, .json])
        == "two backends are called 'json': give each a unique id, not 'all', without commas "
        + "and colons")
    let unfindable = BackendEntry<Menu>(
      id: "ours:new", summary: "ours", survivesRestart: false
    ) { _ in OlderMenus() }
    #expect(
      await refusal([unfindable])
        == "a backend cannot be called 'ours:new': give each a unique id, not 'all', without "
        + "commas and colons")
    #expect(
      await refusal(workloads: ["rountrip"])?.hasPrefix(
        "unknown workload 'rountrip': expected: roundtrip, first-menu, ") == true)
    #expect(
      await refusal(options: .init(blocks: 0, allowsDebugBuild: true))
        == "0 blocks cannot be measured: give 1 to 10,000")
    #expect(await refusal(menu: .shape("products=5"))?.contains("combos") == true)
    #expect(
      await refusal(menu: .file(URL(filePath: "/nowhere/menu.json")))
        == "menu file \"/nowhere/menu.json\": No such file or directory")
    let file = URL(filePath: "/dev/null/stores")
    #expect(
      await refusal(options: .init(folder: file, allowsDebugBuild: true))?.hasPrefix(
        "cannot make a folder for the stores in /dev/null/stores: Not a directory") == true)
    let options = MenuBench.Options(allowsDebugBuild: false)
    let debug = #expect(throws: MenuBenchRefusal.self) { try options.check(isDebug: true) }
    #expect(
      debug?.description
        == "this is a debug build: its figures say nothing about an app: build for release, or set "
        + "Options(allowsDebugBuild: true)")
    try options.check(isDebug: false)
  }
}

/// A storage that is always one revision behind.
private final class OlderMenus: Backend {
  private var menus: [Menu] = []

  func encode(_ document: Menu) throws -> Menu { document }
  func write(_ payload: Menu) throws { menus = menus.suffix(1) + [payload] }
  func read() throws -> Menu { menus[0] }
  func decode(_ payload: Menu) throws -> Menu { payload }
  func size(of payload: Menu) -> Size { .unsupported("it is a value") }
}

/// Lines that several threads may add.
private final class Counted: @unchecked Sendable {
  private let lock = NSLock()
  private var added: [String] = []

  var lines: [String] { lock.withLock { added } }

  func add(_ line: String) { lock.withLock { added.append(line) } }
}
