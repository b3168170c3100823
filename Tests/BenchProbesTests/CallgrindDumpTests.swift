import Testing

@testable import BenchProbes

@Suite("The instructions of a Callgrind dump")
struct CallgrindDumpTests {
  private let dump = """
    # callgrind format
    version: 1
    positions: line
    events: Ir
    summary: 1130

    ob=(1) /bin/thing
    fl=(1) ???
    fn=(1) main
    0 100
    cfn=(2) swift::ConcurrentReadableHashMap<Entry>::find(Key)
    calls=2 0
    0 900
    0 30
    fn=(2)
    0 700
    cfn=(3) swift::MetadataCacheKey::operator==(swift::MetadataCacheKey const&) const
    calls=9 0
    0 200
    fn=(3)
    0 200
    fn=(4) store
    +3 100
    totals: 1130

    """

  @Test("are its total without the parts that depend on the program's addresses")
  func instructions() {
    // 700 in the hash map itself and 200 in comparing its keys.
    #expect(CallgrindDump.instructions(in: dump) == 230)
  }

  @Test("are the total if the program has no such functions")
  func total() {
    #expect(CallgrindDump.instructions(in: "events: Ir\nfn=(1) main\n0 7\ntotals: 7\n") == 7)
  }

  @Test("are the same with jumps, whose lines have no cost")
  func jumps() {
    let text =
      "events: Ir\nfn=(1) ConcurrentReadableHashMap\n0 2\njump=3 +2\n+5\njcnd=1/2 -1\n*\n+1 4\n"
    #expect(CallgrindDump.instructions(in: text + "totals: 10\n") == 4)
  }

  @Test("are 0 if nothing was collected")
  func empty() {
    #expect(CallgrindDump.instructions(in: "events: Ir\ntotals: 0\n") == 0)
  }

  @Test(
    "do not exist if the dump is cut off, of other events or not a dump",
    arguments: [
      "", "events: Ir\nfn=(1) main\n0 7\n", "events: Ir Dr\nfn=(1) main\n0 7 1\ntotals: 7 1\n",
      "totals: 7\n", "events: Ir\ntotals: 99999999999999999999\n", "events: Ir\ntotals: -1\n",
      "events: Ir\nfn=(1) ConcurrentReadableHashMap\n0 9\ntotals: 7\n",
      "events: Ir\nfn=(1) ConcurrentReadableHashMap\n0 x\ntotals: 7\n",
      "events: Ir\nfn=(1) ConcurrentReadableHashMap\n0 18446744073709551615\n0 2\ntotals: 7\n",
    ])
  func broken(_ text: String) {
    #expect(CallgrindDump.instructions(in: text) == nil)
  }
}
