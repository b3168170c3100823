import Foundation

extension MenuFile {
  /// The bytes of a file, which is asked for its kind and size before it is opened.
  static func contents(_ path: String) throws -> Data {
    guard !path.isEmpty else { throw MenuFileProblem.missing }
    let real = URL(fileURLWithPath: path).resolvingSymlinksInPath()
    try checkKindAndSize(real.path)
    do {
      return try Data(contentsOf: real)
    } catch {
      throw MenuFileProblem.unreadable(reason: error.localizedDescription)
    }
  }

  private static func checkKindAndSize(_ path: String) throws {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: path)
    } catch CocoaError.fileReadNoSuchFile, CocoaError.fileNoSuchFile {
      throw MenuFileProblem.missing
    } catch {
      throw MenuFileProblem.unreadable(reason: error.localizedDescription)
    }
    switch attributes[.type] as? FileAttributeType {
    case .typeRegular: break
    // A link that leads nowhere is not resolved.
    case .typeSymbolicLink: throw MenuFileProblem.missing
    case .typeDirectory: throw MenuFileProblem.directory
    default: throw MenuFileProblem.notAFile
    }
    let size = (attributes[.size] as? NSNumber)?.intValue ?? 0
    guard size <= sizeLimit else {
      throw MenuFileProblem.tooLarge(bytes: size, limit: sizeLimit)
    }
  }
}
