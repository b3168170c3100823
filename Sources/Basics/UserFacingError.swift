/// An error that says to the user what is wrong and what to do.
package protocol UserFacingError: Error {
  /// What is wrong, with the offending value.
  var message: String { get }
  /// What to do, where there is something.
  var help: String? { get }
  var kind: FailureKind { get }
}

extension UserFacingError {
  package var help: String? { nil }
  package var kind: FailureKind { .failed }
}

extension UserFacingError where Self: CustomStringConvertible {
  package var message: String { description }
}

/// An error that is all words, since no code tells it from another.
package struct Refusal: UserFacingError, Hashable, CustomStringConvertible {
  package let description: String
  package let help: String?
  package let kind: FailureKind

  package init(_ description: String, help: String? = nil, kind: FailureKind = .failed) {
    self.description = description
    self.help = help
    self.kind = kind
  }
}

/// What a command comes to that an error ends; the command line has an exit status for each.
package enum FailureKind: Sendable { case failed, unmeasured, nothingToCompare, usage }
