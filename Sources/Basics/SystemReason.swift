import Foundation

/// Returns the system's own message for an error if there is one, not a domain and a number.
/// For an error that is not Foundation's, returns the message of its author.
package func systemReason(_ error: any Error) -> String {
  let known = error as NSError
  guard known.domain.hasPrefix("NS") else {
    return (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
  }
  if let code = known.underlyingPOSIXCode ?? known.likelyPOSIXCode { return errnoMessage(code) }
  // Foundation's own sentences contain only the error's number.
  return "the system gave no reason: \(known.domain) \(known.code)"
}

extension NSError {
  /// The POSIX error code at the bottom of the chain of underlying errors, if any.
  package var underlyingPOSIXCode: Int32? {
    if domain == NSPOSIXErrorDomain { return Int32(code) }
    return (userInfo[NSUnderlyingErrorKey] as? NSError)?.underlyingPOSIXCode
  }

  /// The POSIX error code that most likely caused this Cocoa error.
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

/// Creates a folder and its missing parents. Foundation's function traps on one-letter names.
///
/// - Throws: `POSIXError` with the reason.
package func makeFolder(_ path: String) throws {
  if mkdir(path, 0o777) == 0 { return }
  let scalars = path.unicodeScalars
  let slashes = scalars.indices.dropFirst().filter { scalars[$0] == "/" }
  for end in slashes + [path.endIndex] {
    let folder = String(path[..<end])
    guard mkdir(folder, 0o777) != 0 else { continue }
    var code = errno
    var status = stat()
    if stat(folder, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { continue }
      code = ENOTDIR
    } else if errno != ENOENT {
      code = errno
    }
    throw POSIXError(POSIXError.Code(rawValue: code) ?? .EIO)
  }
}
