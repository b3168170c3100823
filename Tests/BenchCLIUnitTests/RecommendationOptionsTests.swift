import ArgumentParser
import BenchAnalysis
import BenchReports
import BenchResults
import MenuWorkloads
import PersistenceBackends
import Testing

@testable import BenchCLI

@Suite("Options that choose a backend are read, or refused with valid ones")
struct RecommendationOptionsTests {
  private func questions(_ arguments: String) throws -> [Criteria] {
    try RecommendationOptions.parse(arguments.split(separator: " ").map(String.init))
      .questions(in: suite)
  }

  /// The single question, or nil if there are several.
  private func asked(_ arguments: String) throws -> Criteria? {
    let questions = try questions(arguments)
    return questions.count == 1 ? questions[0] : nil
  }

  @Test("The weights of every need add up to 10, and are on costs and metrics that exist")
  func needs() throws {
    #expect(
      NeedInfo.ofMenus.map(\.id)
        == ["refresh", "launch", "catalogue", "offline", "frequent-updates"])
    for need in NeedInfo.ofMenus {
      #expect(need.weights.reduce(0) { $0 + $1.weight } == 10, "\(need.id)")
      let typed = need.weights.map { "\($0.key)=\($0.weight)" }.joined(separator: ",")
      #expect(try asked("--weight \(typed)")?.weights == Criteria(need).weights, "\(need.id)")
    }
  }

  @Test("Every need weighs memory and size at rest", arguments: NeedInfo.ofMenus.map(\.id))
  func footprint(id: String) throws {
    let need = try #require(NeedInfo.ofMenus.first { $0.id == id })
    for metric in ["peak_heap_bytes", "stored_bytes"] {
      let weights = need.weights.filter { $0.key.hasSuffix(metric) }
      #expect(weights.map(\.weight) == [1])
    }
  }

  @Test("A need brings its weights")
  func need() throws {
    let criteria = try #require(try asked("--for launch --require durable,query"))
    #expect(criteria.need == "launch")
    #expect(criteria.weights == Criteria(NeedInfo.ofMenus[1]).weights)
    #expect(criteria.required == ["durable", "query"])
    #expect(!criteria.takesVolatile)
  }

  @Test("Weights are on workloads, their costs, metrics of a phase, and metrics")
  func weights() throws {
    let typed =
      "roundtrip=3,roundtrip/save=.5,roundtrip/encode/allocations=1,product/product/allocations=2,stored_bytes=1"
    #expect(
      try asked("--weight \(typed)")?.weights == [
        Weight(.workload("roundtrip"), 3), Weight(.cost(workload: "roundtrip", name: "save"), 0.5),
        Weight(.figure(workload: "roundtrip", phase: "encode", metric: "allocations"), 1),
        Weight(.figure(workload: "product", phase: "product", metric: "allocations"), 2),
        Weight(.metric("stored_bytes"), 1),
      ])
  }

  @Test("Without a need, every need is used, with the requirements")
  func nothing() throws {
    #expect(try questions("").map(\.need) == NeedInfo.ofMenus.map(\.id))
    let required = try questions("--require durable --rank-volatile")
    #expect(required.count == NeedInfo.ofMenus.count)
    #expect(required.allSatisfy { $0.required == ["durable"] && $0.takesVolatile })
  }

  @Test(
    "A good enough time is a time with its unit, or 0",
    arguments: [
      ("16ms", 16_000_000.0), ("0", 0), ("0ms", 0), ("250us", 250_000), ("1.5s", 1_500_000_000),
      ("60s", 60_000_000_000), ("7ns", 7),
    ])
  func goodEnough(typed: String, nanoseconds: Double) throws {
    let asked = try questions("--good-enough \(typed)")
    #expect(Set(asked.map(\.goodEnough.nanoseconds)) == [nanoseconds])
    #expect(Set(try questions("").map(\.goodEnough.nanoseconds)) == [8_000_000])
  }

  @Test(
    "Invalid options are refused",
    arguments: [
      ("--for lanch", "unknown need 'lanch'", "did you mean 'launch'?"),
      ("--for launch --require durble", "unknown promise 'durble'", "did you mean 'durable'?"),
      ("--weight prodct=1", "unknown key of a weight 'prodct'", "did you mean 'product'?"),
      (
        "--weight missed_frames=1", "only some phases have 'missed_frames'",
        "name a phase: WORKLOAD/PHASE/missed_frames"
      ),
      ("--weight stored_byts=1", "unknown key of a weight 'stored_byts'", "'stored_bytes'?"),
      ("--weight rountrip/save=1", "unknown workload 'rountrip'", "did you mean 'roundtrip'?"),
      ("--weight roundtrip/sav=1", "unknown cost of roundtrip 'sav'", "did you mean 'save'?"),
      (
        "--weight roundtrip/encode=1",
        "'encode' is a phase of roundtrip, and the work in a phase differs between backends",
        "weigh a cost of roundtrip: save, load"
      ),
      ("--weight roundtrip/write/cpu=1", "'write' is a phase of roundtrip", "save, load"),
      ("--weight roundtrip/save/wal=1", "unknown phase of roundtrip 'save'", "phases: open"),
      ("--weight roundtrip/read/wal=1", "unknown metric 'wal'", "did you mean 'wall'?"),
      ("--weight roundtrip", "--weight 'roundtrip' has no number", "give one: roundtrip=1"),
      ("--weight roundtrip=0", "the weight '0' of roundtrip is not a number from 0.001 to", "give"),
      ("--weight roundtrip=inf", "the weight 'inf' of roundtrip is not a number", "give"),
      ("--weight roundtrip=1e308", "the weight '1e308' of roundtrip is not a number", "give"),
      ("--weight roundtrip=1e-320", "the weight '1e-320' of roundtrip is not a number", "give"),
      ("--weight roundtrip=0x10", "the weight '0x10' of roundtrip is not a number", "give"),
      ("--weight roundtrip=nan", "the weight 'nan' of roundtrip is not a number", "give"),
      ("--good-enough 8", "--good-enough '8' is not a time from 0 to 60 s", "such as 16ms"),
      ("--good-enough 2m", "--good-enough '2m' is not a time", "ns, us, ms or s"),
      ("--good-enough 61s", "--good-enough '61s' is not a time", "0 counts every difference"),
      ("--good-enough=-1ms", "--good-enough '-1ms' is not a time", "such as 16ms"),
      ("--good-enough nanms", "--good-enough 'nanms' is not a time", "such as 16ms"),
      ("--weight combo=1,combo=2", "--weight has 'combo' twice", "give each key once"),
      ("--weight combo=1,", "--weight '' has no number", "give one"),
      ("--weight combo:x=1=1", "combo has no setting 'x=1'", "it has no settings"),
      (
        "--for launch --weight combo=1", "--for and --weight cannot be combined",
        "give one of them"
      ),
    ])
  func refused(_ arguments: String, _ message: String, _ help: String) throws {
    let error = refusal { _ = try asked(arguments) }
    #expect(error?.message.hasPrefix(message) == true, "\(error?.message ?? "nothing")")
    #expect(error?.help?.contains(help) == true, "\(error?.help ?? "nothing")")
    #expect(error?.status == .usage)
  }

  @Test("A reference is a measured backend, or refused with the measured ones")
  func reference() throws {
    func chosen(_ typed: String...) throws -> String? {
      try ReferenceOptions.parse(typed).chosen(among: ["json", "sqlite", "json"])
    }
    #expect(try chosen() == nil)
    #expect(try chosen("--reference", "sqlite") == "sqlite")
    let error = refusal { _ = try chosen("--reference", "lmdb") }
    #expect(error?.message == "unknown reference 'lmdb'")
    #expect(error?.help == "references: json, sqlite")
  }

  @Test("Every promise has a letter in the tables, in the same order")
  func letters() {
    #expect(PromiseMarks.letters.map(\.id) == BackendPromise.allCases.map(\.rawValue))
    #expect(Set(PromiseMarks.letters.map(\.letter)).count == PromiseMarks.letters.count)
  }
}
