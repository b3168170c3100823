/// What a reader must know before trusting a figure.
///
/// Doubts travel with the data, so that every output can show them.
public struct Conclusion: Hashable, Sendable {
  /// How much it matters.
  public let severity: Severity
  /// What it is, in one line.
  public let text: String

  /// Makes a conclusion.
  public init(_ severity: Severity, _ text: String) {
    self.severity = severity
    self.text = text
  }

  /// How much a conclusion matters.
  public enum Severity: String, Hashable, Sendable, Comparable {
    /// Good to know.
    case hint
    /// Some figures mean less than they seem to.
    case warning
    /// Some figures are missing or mean nothing.
    case error

    /// By weight, hints lightest.
    public static func < (left: Severity, right: Severity) -> Bool { left.weight < right.weight }

    private var weight: Int {
      switch self {
      case .hint: 0
      case .warning: 1
      case .error: 2
      }
    }
  }
}
