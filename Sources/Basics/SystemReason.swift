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

/// Makes a folder and those above it, where they are not there. Foundation's own way traps on names of one letter.
///
/// - Throws: `POSIXError`, which says why not.
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
