import Basics
import Foundation
import Testing

@testable import RevisionBuild

@Suite(
  .enabled(if: GitFixture.hasGit, "there is no git here"),
  .disabled(
    if: GitFixture.hasThreadSanitizer, "the thread sanitizer does not see Subprocess's locks"))
struct GitRepositoryTests {
  @Test("a folder in a repository knows the top level, its own place and its package's")
  func places() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)", in: "apps/menu/")
    let repository = try await GitRepository(at: fixture.path + "/apps/menu/Sources")
    #expect(repository.topLevel == fixture.path)
    #expect(repository.folder == fixture.path + "/apps/menu/Sources")
    #expect(repository.packagePrefix == "apps/menu/")
    #expect(try await GitRepository(at: fixture.path + "/apps").packagePrefix == nil)
  }

  @Test("a branch, even -odd, a tag, an expression and a short id name their commit")
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
    try fixture.git("update-ref", "refs/heads/-odd", "HEAD")
    #expect(try await repository.resolve("-odd") == Commit(id: second, ref: "-odd"))
  }

  @Test(
    "a text that names no commit is an error with the commands to list refs",
    arguments: [
      "nope", "", "-h", "--all", "--git-dir", "^main", "main..main", "main:Package.swift",
      "main\0x", "main; true", "0000000000000000000000000000000000000000",
    ])
  func unknown(ref: String) async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    let repository = try await GitRepository(at: fixture.path)
    let error = await #expect(throws: Refusal.self) { try await repository.resolve(ref) }
    #expect(error?.message == "there is no commit '\(ref)'")
    #expect(
      error?.help == "git branch --all and git tag list valid names, such as origin/main")
    #expect(error?.kind == .nothingToCompare)
  }

  @Test("a clone without history says so, since the ref may exist elsewhere")
  func shallow() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    try fixture.commit("print(2)")
    let first = try fixture.git("rev-parse", "HEAD~1")
    try fixture.git("clone", "--quiet", "--depth=1", "file://" + fixture.path, "clone")
    let clone = try await GitRepository(at: fixture.path + "/clone")
    let error = await #expect(throws: Refusal.self) { try await clone.resolve(first) }
    #expect(error?.message == "'\(first)' is not in this clone, which lacks its history")
    #expect(
      error?.help
        == "fetch all history, with 'fetch-depth: 0' in CI. git branch --all and git tag list "
        + "valid names, such as origin/main")
  }

  @Test(
    "a repository without a commit, and a folder without a repository, are refused with a reason")
  func lacking() async throws {
    let fixture = try GitFixture()
    let repository = try await GitRepository(at: fixture.path)
    let empty = await #expect(throws: Refusal.self) { try await repository.resolve("HEAD") }
    #expect(empty?.message == "the repository of \(fixture.path) has no commit yet")
    for folder in ["/", fixture.path + "/nowhere", fixture.path + "/.git"] {
      let error = await #expect(throws: Refusal.self) { _ = try await GitRepository(at: folder) }
      #expect(error?.message == "\(folder) is not in a git repository")
      #expect(error?.kind == .nothingToCompare)
    }
  }

  @Test("changed, staged and removed files and new sources make a tree dirty, but notes do not")
  func dirty() async throws {
    let fixture = try GitFixture()
    try fixture.commit("print(1)")
    try fixture.write("x", to: "NOTES.md")
    let repository = try await GitRepository(at: fixture.path)
    let short = try fixture.git("rev-parse", "--short=12", "HEAD")
    #expect(try await repository.describe() == short)
    let new = "Sources/tiny/New ü.swift"
    try fixture.write("let a = 1", to: new)
    #expect(try await repository.describe() == short + "-dirty")
    try FileManager.default.removeItem(atPath: "\(fixture.path)/\(new)")
    try fixture.write("print(2)", to: "Sources/tiny/main.swift")
    #expect(try await repository.describe() == short + "-dirty")
    try fixture.git("checkout", "--quiet", "Sources")
    try fixture.git("rm", "--quiet", "--cached", "Package.swift")
    #expect(try await repository.describe() == short + "-dirty")
  }
}
