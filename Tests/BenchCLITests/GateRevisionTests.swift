import Foundation
import Subprocess
import Testing

@Suite("bench gate says why a git revision cannot be used")
struct GateRevisionTests {
  /// Runs a test in a repository of one commit, which holds a package.
  private func inRepository(
    manifest: String = "", _ body: (String) async throws -> Void
  ) async throws {
    try await inFolder { folder in
      let outcome = try await Executable.shell(
        """
        set -e
        export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org
        export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
        mkdir -p Sources/bench
        echo 'let count: Int = "one"' > Sources/bench/Bench.swift
        cat > Package.swift <<'END'
        // swift-tools-version: 6.0
        import PackageDescription
        \(manifest)
        let package = Package(name: "Tiny", targets: [.executableTarget(name: "bench")])
        END
        printf '.build\\nout\\n' > .gitignore
        git init -q -b main && git add . && git commit -qm first && git tag v1
        """, in: folder)
      #expect(outcome.status == .exited(0), "\(outcome.errors)")
      try await body(folder)
    }
  }

  /// Lines of git's list of worktrees, and the folder of the gate's own.
  private func checkNoWorktree(in folder: String) async throws {
    let list = try await Executable.shell("git worktree list | wc -l; ls .build/gate", in: folder)
    #expect(list.output.hasPrefix("1\n"))
    #expect(!list.output.contains("tree"))
  }

  @Test(
    "A missing revision has status 5 and a way to list others, and a missing product has status 3")
  func unknown() async throws {
    try await inRepository { folder in
      let outcome = try await Executable.bench(Gate.exact + " --against v2", in: folder)
      #expect(outcome.status == .exited(5))
      #expect(
        outcome.errors.hasPrefix(
          "error: there is no commit 'v2'\nhelp: git branch --all and git tag list valid names"))
      let product = try await Executable.bench(
        Gate.exact + " --against v1 --product other", in: folder)
      #expect(product.status == .exited(3))
      #expect(product.errors.contains("no product named 'other'"))
    }
  }

  @Test("A folder outside of any repository has status 5")
  func noRepository() async throws {
    try await inFolder { folder in
      let outcome = try await Executable.bench(Gate.exact + " --against HEAD", in: folder)
      #expect(outcome.status == .exited(5))
      #expect(outcome.errors.contains("is not in a git repository\nhelp: give an executable"))
    }
  }

  @Test("A revision that does not build has status 3 with the compiler's output")
  func doesNotBuild() async throws {
    try await inRepository { folder in
      let outcome = try await Executable.bench(Gate.exact + " --against HEAD", in: folder)
      #expect(outcome.status == .exited(3))
      // Before SwiftPM is heard.
      let first = outcome.errors.split(separator: "\n").first { $0.contains("HEAD (") }
      #expect(first?.hasPrefix("preparing HEAD (") == true, "\(outcome.errors)")
      #expect(outcome.errors.contains("\nerror: HEAD ("))
      #expect(outcome.errors.contains(") does not build: "))
      #expect(
        outcome.errors.contains("cannot convert value of type 'String' to specified type 'Int'"))
      try await checkNoWorktree(in: folder)
    }
  }

  @Test("Ctrl-C during the build of a revision leaves no worktree, and the caller sees the signal")
  func interrupted() async throws {
    // A manifest that never ends is a build that surely is under way.
    try await inRepository(manifest: "import Foundation\nsleep(1_000)") { folder in
      let tree = "\(folder)/.build/gate/tree/Package.swift"
      let status = try await Executable.bench.run(
        (Gate.exact + " --against HEAD").split(separator: " ").map(String.init), in: folder
      ) { FileManager.default.fileExists(atPath: tree) }
      #expect(status == .signaled(SIGINT))
      try await checkNoWorktree(in: folder)
      let stores = try FileManager.default.contentsOfDirectory(atPath: folder + "/out")
      #expect(stores == [])
    }
  }
}
