import Testing

@testable import BenchProbes

@Suite("A dump of Callgrind's")
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

  @Test("gives its total less what depends on where the program lies in memory")
  func instructions() {
    // 700 in the hash map itself and 200 in comparing its keys.
    #expect(CallgrindDump.instructions(in: dump) == 230)
  }

  @Test("of a program with no such functions gives its total")
  func total() {
    #expect(CallgrindDump.instructions(in: "events: Ir\nfn=(1) main\n0 7\ntotals: 7\n") == 7)
  }

  @Test("with jumps has the same instructions: where one is from is a line without a cost")
  func jumps() {
    let text =
      "events: Ir\nfn=(1) ConcurrentReadableHashMap\n0 2\njump=3 +2\n+5\njcnd=1/2 -1\n*\n+1 4\n"
    #expect(CallgrindDump.instructions(in: text + "totals: 10\n") == 4)
  }

  @Test("of nothing collected is 0")
  func empty() {
    #expect(CallgrindDump.instructions(in: "events: Ir\ntotals: 0\n") == 0)
  }

  @Test(
    "that is cut off, of other events or no dump at all gives nothing",
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
