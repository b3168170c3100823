import Foundation

/// What the system said of an error: its own words rather than a domain and a number.
package func systemReason(_ error: any Error) -> String {
  (error as NSError).underlyingPOSIXCode.map { errnoMessage($0) } ?? error.localizedDescription
}

extension NSError {
  /// The system's error number at the bottom of an error, where there is one.
  package var underlyingPOSIXCode: Int32? {
    if domain == NSPOSIXErrorDomain { return Int32(code) }
    return (userInfo[NSUnderlyingErrorKey] as? NSError)?.underlyingPOSIXCode
  }
}
