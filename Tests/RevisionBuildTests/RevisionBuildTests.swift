import Basics
import Foundation
import RevisionBuild
import Synchronization
import Testing

/// The arguments of callbacks.
private final class Heard: Sendable {
  private let lines = Mutex<[String]>([])
  var all: [String] { lines.withLock { $0 } }
  func add(_ line: String) { lines.withLock { $0.append(line) } }
}

/// Real builds of a package of one file: seconds, but not to be trifled with in parallel.
@Suite(
  .serialized, .timeLimit(.minutes(20)),
  .enabled(if: GitFixture.hasGit, "there is no git here"),
  .disabled(
    if: GitFixture.hasThreadSanitizer, "the thread sanitizer does not see Subprocess's locks"))
struct RevisionBuildTests {
  private let fixture: GitFixture

  init() throws { fixture = try GitFixture() }

  private func build(_ folder: String = "") async throws -> RevisionBuild {
    try RevisionBuild(of: try await repository(folder), product: "tiny")
  }

  private func repository(_ folder: String = "") async throws -> GitRepository {
    try await GitRepository(at: fixture.path + "/" + folder)
  }

  private func names(in folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
  }

  @Test("a commit is built once, whatever the files are now, and git's state is unchanged")
  func buildsOnce() async throws {
    try fixture.commit("print(\"old\")", in: "app/")
    try fixture.commit("print(\"new\")", in: "app/")
    try fixture.write("print(\"dirty\")", to: "app/Sources/tiny/main.swift")
    let before = try fixture.state()
    let build = try await build("app")
    for (ref, output) in [("HEAD~1", "old"), ("HEAD", "new")] {
      let commit = try await repository().resolve(ref)
      let heard = Heard()
      let built = try await build.executable(for: commit) { heard.add($0) }
      #expect(built.wasCached == false)
      #expect(try GitFixture.run([built.path], in: "/") == output)
      #expect(heard.all.contains { $0.contains("Linking tiny") })
      let again = try await build.executable(for: commit) { Issue.record("built again: \($0)") }
      #expect(again.wasCached)
      #expect(again.path == built.path)
    }
    #expect(try fixture.state() == before)
    #expect(build.cacheFolder == fixture.path + "/app/.build/gate")
    #expect(try names(in: build.cacheFolder).count == 4, "two entries, scratch and .gitignore")
  }

  @Test("a commit that does not build has the reason, and leaves no worktree")
  func failingBuild() async throws {
    try fixture.commit("print(nonsense)")
    let before = try fixture.state()
    let build = try await build()
    let commit = try await repository().resolve("main")
    let error = try await #require(throws: Refusal.self) {
      try await build.executable(for: commit)
    }
    #expect(error.message.hasPrefix("\(commit) does not build: "))
    #expect(error.message.contains("error: cannot find 'nonsense' in scope"))
    #expect(!error.message.contains("\n") && error.kind == .unmeasured)
    #expect(error.help == "--verbose shows the whole output of the build")
    #expect(try fixture.state() == before)
  }

  @Test("a commit from before the package has nothing to build")
  func noPackageThen() async throws {
    try fixture.write("x", to: "README.md")
    try fixture.git("add", "--all")
    try fixture.git("commit", "--quiet", "--message", "Begin")
    try fixture.commit("print(1)", in: "app/")
    let before = try fixture.state()
    let build = try await build("app")
    let commit = try await repository().resolve("HEAD~1")
    let then = await #expect(throws: Refusal.self) { try await build.executable(for: commit) }
    #expect(then?.message == "\(commit) has no Swift package in app/")
    #expect(try fixture.state() == before)
    let now = await #expect(throws: Refusal.self) { try await self.build() }
    #expect(now?.message == "\(fixture.path) is not in a Swift package")
    #expect([then, now].allSatisfy { $0?.kind == .unmeasured })
  }

  @Test("two simultaneous builds make one executable")
  func twoAtOnce() async throws {
    try fixture.commit("print(1)")
    let before = try fixture.state()
    let commit = try await repository().resolve("HEAD")
    let build = try await build()
    async let one = build.executable(for: commit)
    async let other = build.executable(for: commit)
    let both = try await [one, other]
    #expect(both.count { $0.wasCached } == 1)
    #expect(both[0].path == both[1].path)
    #expect(try fixture.state() == before)
  }

  @Test("a build waits for another process, says so once, and does not change its worktree")
  func waits() async throws {
    try fixture.commit("print(1)")
    let before = try fixture.state()
    let commit = try await repository().resolve("HEAD")
    let build = try await build()
    try fixture.git("worktree", "add", "--quiet", "--detach", build.cacheFolder + "/tree", "HEAD")
    let folder = open(build.cacheFolder, O_RDONLY)
    try #require(flock(folder, LOCK_EX) == 0)
    let (heard, ended) = (Heard(), Heard())
    let task = Task {
      defer { ended.add("ended") }
      return try await build.executable(for: commit, waiting: { heard.add("waiting") })
    }
    while heard.all.isEmpty, ended.all.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
    #expect(try names(in: build.cacheFolder) == [".gitignore", "tree"])
    close(folder)
    #expect(try await task.value.wasCached == false)
    #expect(heard.all == ["waiting"])
    #expect(try fixture.state() == before)
  }

  @Test("a build removes what a killed one left, and keeps the eight executables used last")
  func sweeps() async throws {
    try fixture.commit("print(1)")
    let before = try fixture.state()
    let build = try await build()
    let tree = build.cacheFolder + "/tree"
    try fixture.git("worktree", "add", "--quiet", "--detach", tree, "HEAD")
    try fixture.git("worktree", "lock", tree)
    try fixture.write("x", to: ".build/gate/partial/tiny")
    for index in 0..<10 {
      try fixture.write("x", to: ".build/gate/old\(index)-0/tiny")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: Double(index))],
        ofItemAtPath: "\(build.cacheFolder)/old\(index)-0")
    }
    let commit = try await repository().resolve("HEAD")
    #expect(try await build.executable(for: commit).wasCached == false)
    #expect(try fixture.state() == before)
    let kept = try names(in: build.cacheFolder)
    #expect(!kept.contains("partial"))
    #expect(kept.filter { $0.hasPrefix("old") } == (3..<10).map { "old\($0)-0" })
  }

  @Test("git's record of a worktree without files does not prevent a build")
  func forgetsMissingWorktree() async throws {
    try fixture.commit("print(1)")
    let before = try fixture.state()
    let build = try await build()
    let tree = build.cacheFolder + "/tree"
    try fixture.git("worktree", "add", "--quiet", "--detach", tree, "HEAD")
    try FileManager.default.removeItem(atPath: tree)
    _ = try await build.executable(for: try await repository().resolve("HEAD"))
    #expect(try fixture.state() == before)
  }

  @Test("a cancelled build ends its compilers and leaves no worktree")
  func cancellation() async throws {
    // Takes far longer to compile than the test waits.
    let types = (0..<20_000).map { "struct S\($0): Hashable, Codable { var a: [Int: String?] }" }
    try fixture.commit(types.joined(separator: "\n") + "\nprint(1)")
    let before = try fixture.state()
    let build = try await build()
    let commit = try await repository().resolve("HEAD")
    let ended = Heard()
    let task = Task {
      defer { ended.add("ended") }
      return try await build.executable(for: commit)
    }
    while Self.compilers(in: build.cacheFolder).isEmpty, ended.all.isEmpty {
      try await Task.sleep(for: .milliseconds(20))
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    // Killed is not yet gone: on a busy machine the kernel takes its time to clear a process away.
    for _ in 0..<250 where !Self.compilers(in: build.cacheFolder).isEmpty {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(Self.compilers(in: build.cacheFolder) == [])
    #expect(try fixture.state() == before)
    #expect(try names(in: build.cacheFolder) == [".gitignore", "scratch"])
  }

  /// The command lines of the compilers that work in a folder. /proc works without ps, which small
  /// containers lack.
  private static func compilers(in folder: String) -> [String] {
    #if os(Linux)
      let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      let all = processes.compactMap { FileManager.default.contents(atPath: "/proc/\($0)/cmdline") }
        .map { String(decoding: $0, as: UTF8.self) }
    #else
      let all = ((try? GitFixture.run(["ps", "-Awwo", "args"], in: "/")) ?? "")
        .split(separator: "\n").map(String.init)
    #endif
    return all.filter { $0.contains("swift-frontend") && $0.contains(folder + "/tree/Sources") }
  }
}
