/// What a format has no way to say.
public enum FormatError: Error, Equatable, CustomStringConvertible {
  /// The format takes every value for better where it is smaller, and of this metric it is not.
  case largerIsBetter(format: String, metric: String)

  /// One line.
  public var description: String {
    switch self {
    case .largerIsBetter(let format, let metric):
      "\(format) takes smaller for better, which it is not of \(metric)"
    }
  }
}
