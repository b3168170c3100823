import Foundation

extension ExecutableCache {
  /// Whether a gate that was killed left something behind, or one is building just now.
  var hasLeftovers: Bool {
    names.contains { $0.hasSuffix(".partial") } || FileManager.default.fileExists(atPath: tree)
  }

  /// Removes half-copied executables; only under the lock.
  func removePartials() {
    remove(names.filter { $0.hasSuffix(".partial") })
  }

  /// Removes the executables and the logs that were not used for longest; only under the lock.
  func trim() {
    let entries = names.filter { $0.contains("-") && !$0.hasSuffix(".partial") }
    for kind in [entries, names.filter { $0.hasSuffix(".log") }] {
      remove(kind.sorted { used($0) > used($1) }.dropFirst(Self.limit))
    }
  }

  private var names: [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private func used(_ name: String) -> Date {
    let attributes = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    return attributes?[.modificationDate] as? Date ?? .distantPast
  }

  private func remove(_ names: some Sequence<String>) {
    for name in names { try? FileManager.default.removeItem(atPath: "\(path)/\(name)") }
  }
}
