import Foundation
import Subprocess
import Testing

@Suite("The action for GitHub")
struct GateActionTests {
  /// A repository with these git commands done, in which bench only says what it was given.
  private func gate(
    after commands: [String], in place: String = "."
  ) async throws -> (Executable.Outcome, told: String) {
    try await inFolder { folder in
      let git = "git -c user.name=x -c user.email=x@example.invalid"
      let commit = "\(git) commit -q --allow-empty -m change"
      let lines =
        ["git init -q", "mkdir -p package/scripts scripts"]
        + commands.map { $0 == "commit" ? commit : $0 }
      let made = try await Executable.shell(lines.joined(separator: " && "), in: folder)
      #expect(made.status == .exited(0), "\(made.errors)")
      for package in ["", "/package"] {
        try Gate.write(
          script: "echo \"$(basename $PWD) $@\" | sed 's/^bench-[^ ]* //'",
          to: folder + package + "/scripts/bench")
      }
      let inputs =
        "AGAINST='last release' BACKEND=json MENU=small ARGUMENTS='--budget 9' PRODUCT=bench"
        + " FOLDER=\(place)"
      let outcome = try await Executable.shell(
        "\(inputs) GITHUB_OUTPUT=$PWD/told \(Page.root)/.github/actions/gate/gate", in: folder)
      return (outcome, try String(contentsOfFile: folder + "/told", encoding: .utf8))
    }
  }

  @Test(
    "The last release is the newest tag before the commit, even if the commit has a tag",
    arguments: ["git tag 0.2.0", "true"])
  func last(_ tagging: String) async throws {
    let (outcome, told) = try await gate(
      after: ["commit", "git tag 0.1.0", "commit", "commit", tagging])
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(
      outcome.output == """
        last release: 0.1.0
        gate --against=0.1.0 --backend=json --menu=small --budget 9

        """)
    #expect(told == "status=0\n")
  }

  @Test("The gate runs for the package in the given folder, which must exist")
  func folder() async throws {
    let commits = ["commit", "git tag 0.1.0", "commit"]
    let (outcome, told) = try await gate(after: commits, in: "package")
    #expect(outcome.status == .exited(0), "\(outcome.errors)")
    #expect(
      outcome.output.hasSuffix(
        "\npackage gate --against=0.1.0 --backend=json --menu=small --budget 9\n"))
    #expect(told == "status=0\n")
    let (refused, status) = try await gate(after: commits, in: "nowhere")
    #expect(refused.status == .exited(64))
    #expect(refused.output.contains("::error::There is no folder nowhere in this repository"))
    #expect(status == "status=64\n")
  }

  @Test(
    "Without a release the action fails, with a reason",
    arguments: [["commit"], ["commit", "commit"]])
  func none(_ commands: [String]) async throws {
    let (outcome, told) = try await gate(after: commands)
    #expect(outcome.status == .exited(5))
    #expect(outcome.output.hasPrefix("::error::There is no release to measure against"))
    #expect(told == "status=5\n")
  }

  @Test(
    "The workflows compare with the last release on Mondays, and with a pull request's branch"
  )
  func workflows() {
    for (name, words) in [
      (
        "creep",
        [
          "\non:\n  schedule:\n    - cron: \"23 3 * * 1\"\n",
          "\n          against: last release\n",
        ]
      ),
      ("gate", ["\non: pull_request\n", "\n          against: HEAD^1\n"]),
    ] {
      let workflow = Page(".github/workflows/\(name).yml").text
      for word in words + ["\n          fetch-depth: 0\n"] {
        #expect(workflow.contains(word), "\(name): \(word)")
      }
    }
  }
}
