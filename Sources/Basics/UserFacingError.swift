/// An error that says to the user what is wrong and what to do.
package protocol UserFacingError: Error {
  /// What is wrong, with the offending value.
  var message: String { get }
  /// What to do, where there is something.
  var help: String? { get }
  /// What the command comes to.
  var kind: FailureKind { get }
}

extension UserFacingError {
  /// Nothing.
  package var help: String? { nil }
  /// It could not be done.
  package var kind: FailureKind { .failed }
}

extension UserFacingError where Self: CustomStringConvertible {
  /// The description.
  package var message: String { description }
}

/// What a command comes to that an error ends; the command line has an exit status for each.
package enum FailureKind { case failed, unmeasured, nothingToCompare, usage }
