import BackendKit
import CLMDB

/// The reason why an LMDB store could not be used.
struct LMDBFailure: StoreFault {
  let reason: String
  /// LMDB's or the system's code, or 0 if this program found the fault.
  let code: Int32

  init(_ reason: String) {
    self.reason = reason
    code = 0
  }

  init(code: Int32) {
    let text = mdb_strerror(code).map { String(cString: $0) } ?? "failed"
    reason = code < 0 ? "\(text) (LMDB \(code))" : text
    self.code = code
  }

  static func check(_ code: Int32) throws(LMDBFailure) {
    guard code == MDB_SUCCESS else { throw LMDBFailure(code: code) }
  }
}
