import CProfiler

/// One system call, as reports show it: `write menu.json`.
struct SystemCall: CustomStringConvertible {
  private let name: String
  private let path: String?
  private let result: Int64

  init(_ stack: profiler_stack) {
    name = Self.names[stack.first] ?? "call \(stack.first)"
    result = stack.second
    path =
      stack.path > 0
      ? profiler_paths().map { String(cString: $0 + Int(stack.path)) } : nil
  }

  /// The name of the call and of its file without the folder, and the error number if it failed.
  var description: String {
    let file = path?.split(separator: "/").last.map { " " + Self.stable(String($0)) } ?? ""
    let failure = result < 0 && result > -4_096 ? " (failed: errno \(-result))" : ""
    return name + file + failure
  }

  /// Whether the call reads from a file or writes to one, as the kernel counts (`syscr` and `syscw`
  /// in proc(5)). A call that copies between files does both.
  var isRead: Bool {
    copies || ["read", "pread64", "readv", "preadv", "preadv2"].contains(name)
  }
  var isWrite: Bool {
    copies || ["write", "pwrite64", "writev", "pwritev", "pwritev2"].contains(name)
  }
  private var copies: Bool { ["sendfile", "copy_file_range"].contains(name) }

  var read: Double { isRead && result > 0 ? Double(result) : 0 }

  var written: Double { isWrite && result > 0 ? Double(result) : 0 }

  /// Replaces random hexadecimal digits by `…`, since such a file name changes with each save.
  private static func stable(_ name: String) -> String {
    var (kept, rest) = ("", Substring(name))
    while let start = rest.firstIndex(where: \.isHexDigit) {
      let drawn = rest[start...].prefix(while: \.isHexDigit)
      kept += rest[..<start] + (drawn.count >= 16 ? "…" : drawn)
      rest = rest[drawn.endIndex...]
    }
    return kept + rest
  }

  /// The x86-64 system calls for files and memory (the kernel's syscall_64.tbl).
  private static let names: [Int64: String] = [
    0: "read", 1: "write", 2: "open", 3: "close", 4: "stat", 5: "fstat", 6: "lstat", 8: "lseek",
    9: "mmap", 10: "mprotect", 11: "munmap", 12: "brk", 17: "pread64", 18: "pwrite64",
    19: "readv", 20: "writev", 21: "access", 25: "mremap", 26: "msync", 28: "madvise",
    32: "dup", 33: "dup2", 39: "getpid", 40: "sendfile", 72: "fcntl", 73: "flock", 74: "fsync",
    75: "fdatasync", 76: "truncate", 77: "ftruncate", 82: "rename", 83: "mkdir", 84: "rmdir",
    85: "creat", 86: "link", 87: "unlink", 89: "readlink", 90: "chmod", 91: "fchmod",
    107: "geteuid", 162: "sync", 186: "gettid", 202: "futex", 217: "getdents64",
    221: "fadvise64", 228: "clock_gettime", 257: "openat", 258: "mkdirat", 262: "newfstatat",
    263: "unlinkat", 264: "renameat", 265: "linkat", 267: "readlinkat", 269: "faccessat",
    277: "sync_file_range", 285: "fallocate", 292: "dup3", 295: "preadv", 296: "pwritev",
    306: "syncfs", 316: "renameat2", 318: "getrandom", 326: "copy_file_range", 327: "preadv2",
    328: "pwritev2", 332: "statx", 436: "close_range", 439: "faccessat2",
  ]
}
