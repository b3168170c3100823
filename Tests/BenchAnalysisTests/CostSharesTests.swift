import BenchAnalysis
import BenchResults
import Testing

@Suite("The owner of a phase's time")
struct CostSharesTests {
  private static let frames: [String: Profile.Frame] = [
    "own": Profile.Frame(name: "LMDBBackend.write(_:)", module: "LMDBBackend", owner: .program),
    "cache": Profile.Frame(
      name: "HeldBackend.write(_:)", module: "BackendKit", owner: .program),
    "menu": Profile.Frame(name: "Menu.init(from:)", module: "MenuModel", owner: .program),
    "json": Profile.Frame(
      name: "JSONDecoderImpl.unwrap(_:as:for:_:)", module: "libFoundationEssentials.so",
      owner: .foundation),
    "data": Profile.Frame(
      name: "Data.init(contentsOf:)", module: "libFoundationEssentials.so", owner: .foundation),
    "defaults": Profile.Frame(
      name: "UserDefaults.synchronize()", module: "libFoundation.so", owner: .foundation),
    "sqlite": Profile.Frame(name: "sqlite3_step", module: "libsqlite3.so.0", owner: .library),
    "space": Profile.Frame(name: "freeSpace", module: "libsqlite3.so.0", owner: .library),
    "message": Profile.Frame(
      name: "BinaryDecoder.decode()", module: "SwiftProtobuf", owner: .library),
    "tape": Profile.Frame(
      name: "simdjson::haswell::stage2", module: "libsimdjson.so.14", owner: .library),
    "tapes": Profile.Frame(
      name: "KeyedTape.decode(_:forKey:)", module: "SimdjsonBackends", owner: .program),
    "reading": Profile.Frame(
      name: "KeyedDecodingContainer.decode(_:forKey:)", module: "OurDecoder", owner: .program),
    "writing": Profile.Frame(
      name: "KeyedEncodingContainer.encode(_:forKey:)", module: "libswiftCore.so", owner: .swift),
    "retain": Profile.Frame(name: "swift_retain", module: "libswiftCore.so", owner: .swift),
    "free": Profile.Frame(name: "_int_free", module: "libc.so.6", owner: .system),
    "copy": Profile.Frame(name: "memmove", module: "libc.so.6", owner: .system),
    "kernel": Profile.Frame(name: "in the kernel", module: "kernel", owner: .kernel),
  ]

  @Test(
    "is the code that does the work, whatever helps it",
    arguments: [
      ("own", CostOwner.own), ("own retain", .own), ("own json menu retain", .coder),
      ("cache copy", .own),
      ("own sqlite", .library), ("own sqlite copy", .library), ("own sqlite free", .allocator),
      ("own sqlite space", .library),
      ("own sqlite kernel", .kernel), ("own message retain", .coder), ("own tape copy", .coder),
      ("own tapes retain", .coder), ("own reading retain", .coder), ("own writing copy", .coder),
      ("own data copy", .own), ("own defaults copy", .library), ("own defaults json", .coder),
      ("json menu own", .own), ("retain", .own), ("", .own),
    ])
  func owners(stack: String, owner: CostOwner) throws {
    let frames = try stack.split(separator: " ").map { try #require(Self.frames[String($0)]) }
    #expect(CostOwner(frames) == owner)
  }

  @Test("has shares that add up to the whole, waits included")
  func shares() throws {
    let names = ["own", "sqlite", "kernel"]
    let profile = Profile(
      what: .cpu,
      cell: Cell(backend: "sqlite", menu: "small", workload: "roundtrip", durability: "atomic"),
      phase: "write",
      measures: ["cpu", "waited"].map {
        Profile.Measure(id: $0, unit: .nanoseconds, sample: 1_000_000)
      },
      frames: try names.map { try #require(Self.frames[$0]) },
      stacks: [
        Profile.Stack(frames: [0], values: [[2e6, 0]]),
        Profile.Stack(frames: [0, 1], values: [[5e6, 0], [1e6, 0]]),
        Profile.Stack(frames: [0, 1, 2], values: [[1e6, 7e6]]),
      ],
      facts: {
        var facts = Profile.Facts()
        facts.runs = 4
        return facts
      }())
    let shares = try #require(CostShares(profile))
    #expect(shares.time == 4e6)
    #expect(
      shares.shares == [.own: 0.125, .library: 0.375, .kernel: 0.0625, .waiting: 0.4375])
    var other = profile
    other.what = .io
    #expect(CostShares(other) == nil)
    other = profile
    other.stacks = []
    #expect(CostShares(other) == nil)
  }
}
