/// The record that says whose store it is: `MenuBench entities` and the number of the format.
enum LMDBMarker {
  /// Grows with every change of keys or values.
  static let version = 1

  /// What stands under ``LMDBKey/marker``.
  static var bytes: [UInt8] { Array("\(owner) \(version)".utf8) }

  /// Throws ``LMDBFailure`` unless a store that is not empty has our marker of our version.
  static func check(_ found: [UInt8]?) throws {
    let words = String(decoding: found ?? [], as: UTF8.self).split(separator: " ")
    guard let last = words.last, let number = Int(last), number >= version,
      words.dropLast().joined(separator: " ") == owner
    else { throw LMDBFailure("not a menu store: it has entries, but not our marker") }
    guard number == version else {
      throw LMDBFailure("its format is \(number), newer than \(version), which this program knows")
    }
  }

  private static let owner = "MenuBench entities"
}
