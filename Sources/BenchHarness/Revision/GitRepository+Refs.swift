/// A commit, and what it was called when it was asked for.
public struct Commit: Hashable, Sendable {
  /// Its whole id, in hexadecimal digits.
  public let id: String
  /// The ref that named it, such as `HEAD~1` or `origin/main`.
  public let ref: String

  /// Names a commit by its id.
  public init(id: String, ref: String) {
    self.id = id
    self.ref = ref
  }
}

extension GitRepository {
  /// The commit that a ref names: a branch, a tag, an id or its beginning, or any of git's
  /// expressions, as gitrevisions(7) has them. What begins with a dash is a ref, too.
  ///
  /// - Throws: ``GitError``: no commits, no such ref, an ambiguous one, or a clone without history.
  public func resolve(_ ref: String) async throws -> Commit {
    // Git would take no name for an expression of its own, and the system ends a text at a NUL.
    guard !ref.isEmpty, !ref.contains("\0") else { throw try await missing(ref) }
    let found = try await git.attempt(
      ["rev-parse", "--verify", "--end-of-options", ref + "^{commit}"])
    // `^main` is an expression as well: everything but main.
    guard found.succeeded, Self.isID(found.line) else {
      if found.errors.contains("is ambiguous") { throw GitError.ambiguous(ref: ref) }
      throw try await missing(ref)
    }
    return Commit(id: found.line, ref: ref)
  }

  /// The names of branches, tags and remote branches, those with the newest commits first.
  public func refs() async throws -> [String] {
    let names = try await git(
      "for-each-ref", "--sort=-committerdate", "--format=%(refname:lstrip=2)",
      "refs/heads", "refs/tags", "refs/remotes")
    return names.split(separator: "\n").map(String.init).filter { !$0.hasSuffix("/HEAD") }
  }

  /// Why there is no such commit. Nobody has use for a thousand names.
  private func missing(_ ref: String) async throws -> GitError {
    guard try await git.attempt(["rev-parse", "--verify", "--quiet", "HEAD"]).succeeded else {
      return .noCommits(folder: topLevel)
    }
    let refs = Array(Self.likeliestFirst(try await refs(), for: ref).prefix(20))
    let isShallow = try await git("rev-parse", "--is-shallow-repository") == "true"
    return isShallow ? .notInShallowClone(ref: ref, refs: refs) : .noSuchRef(ref: ref, refs: refs)
  }

  /// `main` may only be there as `origin/main`, which is how CI clones.
  private static func likeliestFirst(_ refs: [String], for ref: String) -> [String] {
    let likely = refs.filter { $0.hasSuffix("/" + ref) }
    return likely + refs.filter { !likely.contains($0) }
  }

  /// SHA-1 has 40 digits, SHA-256 64.
  private static func isID(_ text: String) -> Bool {
    [40, 64].contains(text.utf8.count) && text.allSatisfy(\.isHexDigit)
  }
}
