/// What every file of the format begins with; FORMAT.md beside this file tells it to the byte.
enum FlatFormat {
  /// `MENUFLAT`, read as a little-endian number.
  static let magic: UInt64 = 0x5441_4C46_554E_454D
  /// The version written, and the only one read.
  static let version: UInt32 = 1
  /// How many sections a file of this version has.
  static let sections = 23
  /// Where the checksum stands; it covers every byte after it.
  static let checksumOffset = 24
  /// Where the counts of the sections stand.
  static let countsOffset = 32
  /// Where the first section begins.
  static let headerLength = aligned(countsOffset + 4 * sections)
  /// Stands for an absent text, record or list.
  static let none = UInt32.max

  /// A length with the zero bytes that fill it up to a multiple of eight.
  static func aligned(_ length: Int) -> Int { (length + 7) & ~7 }
}

/// Records that stand together: an empty run begins at 0.
struct FlatRange: Equatable {
  var start: UInt32 = 0
  var count: UInt32 = 0
}

/// Something in a file that contradicts the format.
struct FlatFault: Error, Equatable {
  /// What is wrong with the offending value.
  var reason: String
  /// The byte of the file.
  var offset: Int
}

extension FlatFault {
  /// The error of a storage, with the file and the byte.
  func error(_ operation: String, _ path: String) -> StorageError {
    StorageError(operation: operation, path: path, reason: "\(reason) (byte \(offset))")
  }
}

/// Does something with a file's bytes; what contradicts the format becomes a ``StorageError``.
func readingFlat<Result>(
  _ operation: String, _ path: String, _ body: () throws -> Result
) throws -> Result {
  do {
    return try body()
  } catch let fault as FlatFault {
    throw fault.error(operation, path)
  }
}
