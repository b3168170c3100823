import Foundation

/// What the system said of an error, in its own words rather than a domain and a number where it has some;
/// of an error that is not Foundation's its author's words.
package func systemReason(_ error: any Error) -> String {
  let known = error as NSError
  guard known.domain.hasPrefix("NS") else {
    return (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
  }
  if let code = known.underlyingPOSIXCode ?? known.likelyPOSIXCode { return errnoMessage(code) }
  // Foundation's own sentences name no more than its number of the error.
  return "the system gave no reason: \(known.domain) \(known.code)"
}

extension NSError {
  /// The system's error number at the bottom of an error, where there is one.
  package var underlyingPOSIXCode: Int32? {
    if domain == NSPOSIXErrorDomain { return Int32(code) }
    return (userInfo[NSUnderlyingErrorKey] as? NSError)?.underlyingPOSIXCode
  }

  /// The number that Foundation made an error of its own of.
  fileprivate var likelyPOSIXCode: Int32? {
    guard domain == NSCocoaErrorDomain else { return nil }
    return switch CocoaError.Code(rawValue: code) {
    case .fileNoSuchFile, .fileReadNoSuchFile: ENOENT
    case .fileReadNoPermission, .fileWriteNoPermission: EACCES
    case .fileWriteFileExists: EEXIST
    case .fileWriteOutOfSpace: ENOSPC
    case .fileWriteVolumeReadOnly: EROFS
    case .fileReadTooLarge: EFBIG
    case .fileReadInvalidFileName, .fileWriteInvalidFileName: EINVAL
    default: nil
    }
  }
}

/// Makes a folder and those above it, where they are not there.
///
/// - Throws: `POSIXError`, which says why not: Foundation's own way loses that.
package func makeFolder(_ path: String) throws {
  if try hasFolder(path) { return }
  guard errno == ENOENT else { throw lastError() }
  // Foundation's way to it traps on names of one letter.
  var parent = path
  while parent.last == "/" { parent.removeLast() }
  while let last = parent.last, last != "/" { parent.removeLast() }
  if !parent.isEmpty { try makeFolder(parent) }
  guard mkdir(path, 0o777) != 0 else { return }
  let error = lastError()
  // Somebody else may have made it meanwhile; a link that leads nowhere is no folder.
  guard error.code == .EEXIST, try hasFolder(path) else { throw error }
}

/// Whether a folder is there; false with `errno` where nothing is, and `POSIXError` where something else is.
private func hasFolder(_ path: String) throws -> Bool {
  var status = stat()
  guard stat(path, &status) == 0 else { return false }
  guard status.st_mode & S_IFMT == S_IFDIR else { throw POSIXError(.ENOTDIR) }
  return true
}

private func lastError() -> POSIXError {
  POSIXError(POSIXError.Code(rawValue: errno) ?? .EIO)
}
