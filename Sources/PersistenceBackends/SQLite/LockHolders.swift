import Foundation

/// Who holds locks on files, by the list that Linux keeps (proc_locks(5)); no other system has one.
///
/// The files are not opened: closing one would drop this process's own locks on it ("POSIX advisory
/// locks canceled" in sqlite.org/howtocorrupt.html).
struct LockHolders {
  private let processes: [Int32]
  private let own: Int32

  /// Of the files of a database as they are now.
  init(of files: StoreFiles) {
    let table = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
    let own = ProcessInfo.processInfo.processIdentifier
    self.init(table: table, files: (try? files.identities()) ?? [], own: own)
  }

  /// Of files, by a list of locks. Who may write comes before who only reads.
  init(table: String, files: [FileIdentity], own: Int32) {
    let locks = table.split(separator: "\n").compactMap(Lock.init).filter { lock in
      files.contains { $0.number == lock.file && $0.device == lock.device }
    }
    let writers = locks.filter(\.isExclusive)
    processes = (writers.isEmpty ? locks : writers).map(\.process)
    self.own = own
  }

  /// Names the other process, or this one where only it has locks.
  var description: String {
    if let other = processes.first(where: { $0 != own }) {
      return "process \(other)\(Self.name(of: other))"
    }
    return processes.isEmpty ? "another connection" : "another connection of this process"
  }

  private static func name(of process: Int32) -> String {
    guard let name = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8) else {
      return ""
    }
    return " (\(name.trimmingCharacters(in: .newlines)))"
  }
}

/// A line of the list: `1: POSIX  ADVISORY  WRITE 4711 fe:00:16228388 120 120`.
private struct Lock {
  let process: Int32
  let isExclusive: Bool
  let device: UInt64
  let file: UInt64

  /// nil for what waits for a lock and for what is written in another way.
  init?(_ line: Substring) {
    let fields = line.split(separator: " ")
    guard fields.count == 8, let process = Int32(fields[4]) else { return nil }
    let place = fields[5].split(separator: ":")
    guard place.count == 3, let major = UInt64(place[0], radix: 16),
      let minor = UInt64(place[1], radix: 16), let file = UInt64(place[2])
    else { return nil }
    self.process = process
    isExclusive = fields[3] == "WRITE"
    device = Self.device(major, minor)
    self.file = file
  }

  /// The number that stat(2) gives: gnu_dev_makedev(3).
  private static func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
    (major & 0xfff) << 8 | (major & ~0xfff) << 32 | minor & 0xff | (minor & ~0xff) << 12
  }
}
