import Foundation
import PersistenceBackends

/// What to tell of an error: backends work from within their folder, whoever reads of a failure does
/// not.
func failureReason(_ error: any Error) -> String {
  guard var error = error as? StorageError, error.path.hasPrefix("./") else {
    return String(describing: error)
  }
  error.path = FileManager.default.currentDirectoryPath + error.path.dropFirst()
  return String(describing: error)
}
