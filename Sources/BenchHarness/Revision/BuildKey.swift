import Foundation
import MenuModel

/// All but the commit that decides what an executable does; builds that differ in it are kept apart.
struct BuildKey {
  var toolchain: String
  var product: String
  var flags: [String]
  /// The pinned versions of dependencies that the commit has none of its own for.
  var pins: String?

  /// Sixteen hexadecimal digits.
  var digits: String {
    var checksum = Checksum()
    checksum.add(toolchain)
    checksum.add(product)
    checksum.add(flags.count)
    for flag in flags { checksum.add(flag) }
    checksum.add(pins)
    for name in Self.variables { checksum.add(ProcessInfo.processInfo.environment[name]) }
    return checksum.description
  }

  /// What compilers and linkers read of the environment.
  private static let variables = [
    "CC", "CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH", "SDKROOT",
  ]
}
