/// What a crash may cost. One meaning for every backend.
public enum Durability: String, CaseIterable, Codable, Sendable {
  /// No flush, no atomic replacement: a crash of the process half-way may leave neither menu whole.
  case none
  /// A crash of the process leaves the old or the new menu. Files are written aside and renamed;
  /// SQLite runs in WAL mode with synchronous NORMAL.
  case atomic
  /// A power cut, too, leaves the old or the new menu. File and folder are flushed (`F_FULLFSYNC` on
  /// Apple's systems); SQLite runs in WAL mode with synchronous FULL.
  case durable

  /// What is promised, in a few words.
  public var meaning: String {
    switch self {
    case .none: "no flush, no atomic replacement"
    case .atomic: "a crash of the process leaves the old or the new menu"
    case .durable: "a power cut leaves the old or the new menu"
    }
  }
}
