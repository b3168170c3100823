import Basics
import Foundation

/// A stored run on disk: reading it with errors that name the file, writing it atomically.
public enum RunFile {
  /// Reads a record.
  ///
  /// - Throws: ``RunFileError`` when the file is missing, is not a run, or is newer than the program.
  public static func read(_ path: String) throws -> RunRecord {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw RunFileError.unreadable(path: path, reason: error.localizedDescription)
    }
    try check([UInt8](data), path)
    struct Version: Decodable { var schema: Int }
    let decoder = JSONDecoder()
    do {
      let found = try decoder.decode(Version.self, from: data).schema
      guard found <= RunRecord.currentSchema else {
        throw RunFileError.newerSchema(
          path: path, found: found, supported: RunRecord.currentSchema)
      }
      guard found >= 1 else {
        throw RunFileError.notARun(path: path, reason: "schema \(found) does not exist")
      }
      let record = try decoder.decode(RunRecord.self, from: data)
      if let impossible = impossible(record) {
        throw RunFileError.notARun(path: path, reason: impossible)
      }
      return record
    } catch let error as DecodingError {
      throw RunFileError.notARun(path: path, reason: error.briefly)
    }
  }

  /// Foundation's decoder traps on some broken texts and tells no position: scan first.
  private static func check(_ text: [UInt8], _ path: String) throws(RunFileError) {
    var scanner = JSONScanner(text, nestingLimit: 64)
    do throws(JSONScanner.Fault) {
      try scanner.scan()
    } catch {
      throw .notARun(path: path, reason: reason(error, text))
    }
  }

  /// The first thing in a record that no run can have measured.
  private static func impossible(_ record: RunRecord) -> String? {
    var keys: Set<Series.Key> = []
    for (index, series) in record.cells.enumerated() {
      let place = "cells[\(index)], \(series.cell) \(series.phase) \(series.metric.id),"
      if !keys.insert(series.key).inserted { return "\(place) is there twice" }
      if let value = series.blocks.joined().first(where: { $0 < 0 || !$0.isFinite }) {
        return "\(place) holds \(value)"
      }
    }
    return nil
  }

  private static func reason(_ fault: JSONScanner.Fault, _ text: [UInt8]) -> String {
    switch fault {
    case .truncated: text.isEmpty ? "it is empty" : "it ends too soon, it was cut short"
    case .unexpected(let offset): "it is not JSON at \(TextPosition(offset: offset, in: text))"
    case .tooDeep(let offset):
      "it is nested too deep at \(TextPosition(offset: offset, in: text))"
    }
  }

  /// The record as JSON with sorted keys, so that equal records are equal files.
  public static func encode(_ record: RunRecord) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(record) + Data("\n".utf8)
  }

  /// Replaces the file as a whole: a crash or a full disk leaves the old one.
  public static func write(_ record: RunRecord, to path: String) throws {
    try encode(record).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}

/// Why a stored run could not be read.
public enum RunFileError: Error, Equatable {
  /// The file is missing or may not be read.
  case unreadable(path: String, reason: String)
  /// The file is not a run record, or is cut short.
  case notARun(path: String, reason: String)
  /// The file was written by a newer program.
  case newerSchema(path: String, found: Int, supported: Int)
}

extension DecodingError {
  /// What is wrong and where, in one line: `cells[3].unit: …`.
  public var briefly: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(Self.path(context.codingPath + [key])) is missing"
    case .valueNotFound(_, let context):
      "\(Self.path(context.codingPath)) is null where a value is needed"
    case .typeMismatch(let type, let context):
      "\(Self.path(context.codingPath)) is not the \(type) that it should be"
    case .dataCorrupted(let context):
      Self.corruption(context)
    @unknown default:
      String(describing: self)
    }
  }

  private static func corruption(_ context: Context) -> String {
    let detail =
      (context.underlyingError as NSError?)?
      .userInfo["NSDebugDescription"] as? String
    let what = detail ?? context.debugDescription
    return context.codingPath.isEmpty ? what : "\(path(context.codingPath)): \(what)"
  }

  private static func path(_ keys: [any CodingKey]) -> String {
    keys.reduce(into: "") { text, key in
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
  }
}
