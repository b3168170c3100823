import Testing

@testable import BenchCLI

@Suite("Output on a terminal")
struct ConsoleTests {
  @Test("never takes more than its line")
  func cut() {
    #expect(Console.redrawn("12345", columns: 80) == "\r12345\u{1b}[K")
    #expect(Console.redrawn("12345", columns: 5) == "\r1234\u{1b}[K")
    #expect(Console.redrawn("12345", columns: 0) == "\r\u{1b}[K")
    #expect(Console.redrawn("漢字é", columns: 6) == "\r漢字é\u{1b}[K")
    #expect(Console.redrawn("漢字é", columns: 4) == "\r漢\u{1b}[K")
  }

  @Test("has a bar as long as the text allows, and text before a bar")
  func bar() {
    #expect(Console.barred(0.5, "1 of 2", columns: 28) == "██████████░░░░░░░░░░ 1 of 2")
    #expect(Console.barred(0.5, "1 of 2", columns: 27) == "█████░░░░░ 1 of 2")
    #expect(Console.barred(0.5, "1 of 2", columns: 17) == "1 of 2")
    #expect(Console.barred(0.5, "漢字漢", columns: 17) == "漢字漢")
    #expect(Console.barred(-1, "", columns: 80) == String(repeating: "░", count: 20) + " ")
    #expect(Console.barred(9, "", columns: 80) == String(repeating: "█", count: 20) + " ")
  }

  @Test("replaces a bar, and sends no commands to the terminal")
  func said() {
    #expect(Console.said("error: none", over: false) == "error: none\n")
    #expect(Console.said("error: none", over: true) == "\r\u{1b}[Kerror: none\n")
    #expect(Console.said("a\u{1b}[2J\nb\u{202e}c", over: false) == "a\u{fffd}[2J\nb\u{fffd}c\n")
  }

  @Test("has no text that GitHub, Azure or TeamCity would take for a command")
  func workflowCommands() {
    #expect(
      Console.withoutCommands("a::b\n::error::x\r\n \u{a0}::add-mask::y\n\n##[warning]z")
        == "a::b\n\u{fffd}::error::x\u{fffd}\n\u{fffd} \u{a0}::add-mask::y\n\n##\u{fffd}warning]z")
    #expect(
      Console.withoutCommands("a ##vso[task.complete]b\n##teamcity[message]")
        == "a ##vso\u{fffd}task.complete]b\n##teamcity\u{fffd}message]")
    #expect(Console.withoutCommands("## [a](b)\n# ##") == "## [a](b)\n# ##")
  }

  @Test("has typed text on one line, in the parser's messages and in a redrawn line")
  func typed() {
    #expect(
      Console.shown(
        "Error: Unexpected argument 'x\n::y'\nUsage: bench list", typed: ["list", "x\n::y"])
        == "Error: Unexpected argument 'x ::y'\nUsage: bench list")
    #expect(
      Console.shown("Error: The value 'a\u{1b}c' is invalid", typed: ["--blocks=a\u{1b}c"])
        == "Error: The value 'a\u{fffd}c' is invalid")
    #expect(Console.redrawn("a\nb", columns: 80) == "\ra b\u{1b}[K")
  }

  @Test("has the doctor's text next to the subject")
  func findings() {
    let finding = Finding(.doubt, "load", "0.70 over one minute: something else is running")
    #expect(
      finding.lines(subjects: 6, columns: 40) == [
        "!   load    0.70 over one minute:",
        "            something else is running",
      ])
    #expect(
      Finding(.fine, "build", "release").lines(subjects: 6, columns: 40) == ["ok  build   release"])
    #expect(
      Finding(.fine, "place", "a\u{1b}[2J\n::b").lines(subjects: 6, columns: 40)
        == ["ok  place   a\u{fffd}[2J ::b"])
  }

  @Test("has a baseline's text next to the label, and on one line in a pipe")
  func baselines() {
    let lines: [BaselineWording.Line] = [
      ("cpu", "Z80"), ("times", "not comparable here: cpu: M4, baseline Z80"),
    ]
    #expect(
      BaselineWording.text(lines, columns: 34) == """
          cpu    Z80
          times  not comparable here: cpu:
                 M4, baseline Z80

        """)
    #expect(
      BaselineWording.text(lines, columns: nil) == """
          cpu    Z80
          times  not comparable here: cpu: M4, baseline Z80

        """)
  }

  @Test("breaks long lines between words, except for text that you may copy")
  func notes() {
    #expect(Console.fitted("one two three", columns: 7) == "one two\nthree")
    #expect(Console.fitted("a   b\n\n  c", columns: 7) == "a   b\n\n  c")
    #expect(Console.fitted("reports: a/long/path", columns: 10) == "reports: a/long/path")
    #expect(Console.fitted("漢字 漢字", columns: 8) == "漢字\n漢字")
  }
}
