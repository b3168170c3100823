/// An error that tells the user what is wrong and what to do.
package protocol UserFacingError: Error {
  /// Says what is wrong, with the offending value.
  var message: String { get }
  /// Says what to do, if anything helps.
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

/// An error that consists of a message only, since no code distinguishes it from another.
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

/// How a failed command ended. The command line has an exit status for each kind.
package enum FailureKind: Sendable { case failed, unmeasured, nothingToCompare, usage }
