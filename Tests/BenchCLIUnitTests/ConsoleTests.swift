import Testing

@testable import BenchCLI

@Suite("What is shown on a terminal")
struct ConsoleTests {
  @Test("never takes more than its line")
  func cut() {
    #expect(Console.redrawn("12345", columns: 80) == "\r12345\u{1b}[K")
    #expect(Console.redrawn("12345", columns: 5) == "\r1234\u{1b}[K")
    #expect(Console.redrawn("12345", columns: 0) == "\r\u{1b}[K")
    #expect(Console.redrawn("漢字é", columns: 6) == "\r漢字é\u{1b}[K")
    #expect(Console.redrawn("漢字é", columns: 4) == "\r漢\u{1b}[K")
  }

  @Test("has a bar as long as the words leave room for, and words before a bar")
  func bar() {
    #expect(Console.barred(0.5, "1 of 2", columns: 28) == "██████████░░░░░░░░░░ 1 of 2")
    #expect(Console.barred(0.5, "1 of 2", columns: 27) == "█████░░░░░ 1 of 2")
    #expect(Console.barred(0.5, "1 of 2", columns: 17) == "1 of 2")
    #expect(Console.barred(0.5, "漢字漢", columns: 17) == "漢字漢")
    #expect(Console.barred(-1, "", columns: 80) == String(repeating: "░", count: 20) + " ")
    #expect(Console.barred(9, "", columns: 80) == String(repeating: "█", count: 20) + " ")
  }

  @Test("takes the place of a bar, and says nothing to the terminal itself")
  func said() {
    #expect(Console.said("error: none", over: false) == "error: none\n")
    #expect(Console.said("error: none", over: true) == "\r\u{1b}[Kerror: none\n")
    #expect(Console.said("a\u{1b}[2J\nb\u{202e}c", over: false) == "a\u{fffd}[2J\nb\u{fffd}c\n")
  }

  @Test("has no line that GitHub takes for a command")
  func workflowCommands() {
    #expect(
      Console.withoutCommands("a::b\n::error::x\r\n \u{a0}::add-mask::y\n\n##[warning]z")
        == "a::b\n\u{fffd}::error::x\u{fffd}\n\u{fffd} \u{a0}::add-mask::y\n\n##\u{fffd}warning]z")
  }

  @Test("of an unknown option has a guess that is likely, and no other")
  func guesses() {
    let wild = "Error: Unknown option '--json'. Did you mean '--for'?\nUsage: bench compare"
    #expect(
      Console.withoutWildGuess(wild) == "Error: Unknown option '--json'\nUsage: bench compare")
    let likely = "Error: Unknown option '--bugdet'. Did you mean '--budget'?"
    #expect(Console.withoutWildGuess(likely) == likely)
    #expect(Console.withoutWildGuess("Error: Unknown option '-x'") == "Error: Unknown option '-x'")
  }

  @Test("of the doctor has its text beside the subject")
  func findings() {
    let finding = Finding(.doubt, "load", "0.70 over one minute: something else is running")
    #expect(
      finding.lines(subjects: 6, columns: 40) == [
        "!   load    0.70 over one minute:",
        "            something else is running",
      ])
    #expect(
      Finding(.fine, "build", "release").lines(subjects: 6, columns: 40) == ["ok  build   release"])
  }

  @Test("of a baseline has its text beside the label, and in a pipe in one line")
  func baselines() {
    let lines: [BaselineWording.Line] = [
      ("cpu", "Z80"), ("times", "not comparable here: cpu: M4, baseline Z80"),
    ]
    #expect(
      BaselineWording.text(lines, indent: "  ", columns: 34) == """
          cpu    Z80
          times  not comparable here: cpu:
                 M4, baseline Z80

        """)
    #expect(
      BaselineWording.text(lines, indent: "", columns: nil) == """
        cpu    Z80
        times  not comparable here: cpu: M4, baseline Z80

        """)
  }

  @Test("is broken between words where it is too wide, but for what nobody could copy then")
  func notes() {
    #expect(Console.fitted("one two three", columns: 7) == "one two\nthree")
    #expect(Console.fitted("a   b\n\n  c", columns: 7) == "a   b\n\n  c")
    #expect(Console.fitted("reports: a/long/path", columns: 10) == "reports: a/long/path")
    #expect(Console.fitted("漢字 漢字", columns: 8) == "漢字\n漢字")
  }
}
