import Foundation
import RevisionBuild
import Testing

@Suite(
  .enabled(if: GitFixture.hasGit, "there is no git here"),
  .disabled(
    if: GitFixture.hasThreadSanitizer, "the thread sanitizer does not see Subprocess's locks"))
struct GitRepositoryTests {
  @Test("a folder inside a repository knows the top level, its own place and its package's")
  func places() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)", in: "apps/menu/")
    let repository = try await GitRepository(at: fixture.path + "/apps/menu/Sources")
    #expect(repository.topLevel == fixture.path)
    #expect(repository.prefix == "apps/menu/Sources/")
    #expect(repository.packagePrefix == "apps/menu/")
    #expect(try await GitRepository(at: fixture.path + "/apps").packagePrefix == nil)
  }

  @Test("a branch, even -odd, a tag, an expression and the beginning of an id name their commit")
  func resolves() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    try fixture.git("tag", "--annotate", "v1", "--message", "One")
    try fixture.commit("print(2)")
    let first = try fixture.git("rev-parse", "HEAD~1")
    let second = try fixture.git("rev-parse", "HEAD")
    let repository = try await GitRepository(at: fixture.path)
    #expect(try await repository.resolve("v1") == Commit(id: first, ref: "v1"))
    #expect(try await repository.resolve("HEAD~1").id == first)
    #expect(try await repository.resolve("main").id == second)
    #expect(try await repository.resolve(String(second.prefix(9))).id == second)
    #expect(try await repository.refs() == ["main", "v1"])
    try fixture.git("update-ref", "refs/heads/-odd", "HEAD")
    #expect(try await repository.resolve("-odd") == Commit(id: second, ref: "-odd"))
  }

  @Test(
    "what names no commit is an error with the refs there are",
    arguments: [
      "nope", "", "-h", "--all", "--git-dir", "^main", "main..main", "main:Package.swift",
      "main\0x", "main; true", "0000000000000000000000000000000000000000",
    ])
  func unknown(ref: String) async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    let repository = try await GitRepository(at: fixture.path)
    await #expect(throws: GitError.noSuchRef(ref: ref, refs: ["main"])) {
      try await repository.resolve(ref)
    }
  }

  @Test("a branch that is only there as a remote one is named first among the refs")
  func remote() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    try fixture.git("update-ref", "refs/remotes/origin/topic", "HEAD")
    let repository = try await GitRepository(at: fixture.path)
    await #expect(throws: GitError.noSuchRef(ref: "topic", refs: ["origin/topic", "main"])) {
      try await repository.resolve("topic")
    }
  }

  @Test("a clone without history says so, since the ref may exist elsewhere")
  func shallow() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    try fixture.commit("print(2)")
    let first = try fixture.git("rev-parse", "HEAD~1")
    try fixture.git("clone", "--quiet", "--depth=1", "file://" + fixture.path, "clone")
    let clone = try await GitRepository(at: fixture.path + "/clone")
    await #expect(throws: GitError.notInShallowClone(ref: first, refs: ["main", "origin/main"])) {
      try await clone.resolve(first)
    }
  }

  @Test("a repository without a commit, and a folder without a repository, say what they lack")
  func lacking() async throws {
    let fixture = try GitFixture()
    let repository = try await GitRepository(at: fixture.path)
    await #expect(throws: GitError.noCommits(folder: fixture.path)) {
      try await repository.resolve("HEAD")
    }
    for folder in ["/", fixture.path + "/nowhere", fixture.path + "/.git"] {
      await #expect(throws: GitError.notARepository(folder: folder)) {
        _ = try await GitRepository(at: folder)
      }
    }
  }

  @Test("changed, staged and removed files make a tree dirty, and so do new sources; notes do not")
  func dirty() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    try fixture.write("x", to: "NOTES.md")
    let repository = try await GitRepository(at: fixture.path)
    let short = try fixture.git("rev-parse", "--short=12", "HEAD")
    #expect(try await repository.changes() == [])
    #expect(try await repository.describe() == short)
    try fixture.write("let a = 1", to: "Sources/tiny/New ü.swift")
    #expect(try await repository.changes() == ["Sources/tiny/New ü.swift"])
    try fixture.write("print(2)", to: "Sources/tiny/main.swift")
    try fixture.git("rm", "--quiet", "--cached", "Package.swift")
    #expect(
      try await repository.changes() == [
        "Package.swift", "Sources/tiny/main.swift", "Sources/tiny/New ü.swift",
      ])
    #expect(try await repository.describe() == short + "-dirty")
  }
}
