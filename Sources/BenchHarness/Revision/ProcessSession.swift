import Foundation

/// All processes that descend from one which was started in a session of its own.
enum ProcessSession {
  /// Ends what is left of a session at once.
  ///
  /// A build tool puts each compiler into a process group of its own, so that a signal to the tool's
  /// group does not reach them; the session is what they all share.
  static func end(_ session: pid_t) {
    for process in processes() where getsid(process) == session { kill(process, SIGKILL) }
  }

  #if os(Linux)
    private static func processes() -> [pid_t] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      return names.compactMap { pid_t($0) }
    }
  #else
    private static func processes() -> [pid_t] {
      var list = [pid_t](repeating: 0, count: max(0, Int(proc_listallpids(nil, 0))) + 64)
      let count = proc_listallpids(&list, Int32(list.count * MemoryLayout<pid_t>.stride))
      return Array(list.prefix(max(0, Int(count))))
    }
  #endif
}
