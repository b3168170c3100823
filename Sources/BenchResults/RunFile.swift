import Basics
import Foundation

/// A stored run on disk: reading it with errors that name the file, writing it atomically.
public enum RunFile {
  /// The largest file that is read, in bytes; a run of all backends and workloads takes a few MB.
  public static let sizeLimit = 500_000_000
  /// The most cells that a suite may come to: a small file could name more than memory holds.
  private static let cellLimit = 1e6

  /// Throws a refusal where the file is missing, is not a run, or is newer than the program.
  public static func read(_ path: String) throws -> RunRecord {
    try read(try contents(path), from: path)
  }

  /// Whether a file may be a run, by its end, where the sorted keys have the schema: to read it whole may take
  /// seconds.
  package static func looksLikeOne(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd(),
      (try? file.seek(toOffset: size - min(size, 65_536))) != nil, let tail = try? file.readToEnd()
    else { return false }
    return tail.range(of: Data("\"schema\"".utf8)) != nil
  }

  /// Throws a refusal where it is not a run, or is newer than the program.
  package static func read(_ data: Data, from path: String) throws -> RunRecord {
    if let fault = fault(of: [UInt8](data)) { throw notARun(path, fault) }
    struct Version: Decodable { var schema: Double }
    let decoder = JSONDecoder()
    do {
      let version = try decoder.decode(Version.self, from: data).schema
      guard let found = Int(exactly: version), found >= 1 else {
        throw notARun(path, "schema \(digits(version)) does not exist")
      }
      let known = RunRecord.currentSchema
      guard found <= known else {
        throw Refusal(
          "\(path) has schema \(found), this program reads up to schema \(known)",
          help: "use the newer program that wrote it")
      }
      let record = try decoder.decode(RunRecord.self, from: data)
      if let impossible = try impossible(record) { throw notARun(path, impossible) }
      return record
    } catch let error as DecodingError {
      throw notARun(path, error.briefly)
    }
  }

  package static func contents(_ path: String) throws(Refusal) -> Data {
    do {
      return try Data(ofFile: path, limit: sizeLimit)
    } catch {
      throw unreadable(path, error)
    }
  }

  package static func unreadable(_ path: String, _ reason: Refusal) -> Refusal {
    Refusal("\(path) cannot be read: \(reason)", help: reason.help)
  }

  package static func notARun(_ path: String, _ reason: String) -> Refusal {
    Refusal("\(path) is not a stored run: \(reason)", help: "give the run.json of a 'bench run'")
  }

  /// Why a text is no JSON, or JSON of which nobody can tell what it says; nil of one that is sound. Ask before
  /// Foundation's decoder is used.
  package static func fault(of text: [UInt8]) -> String? {
    do {
      try JSONScanner.scan(text)
      return nil
    } catch {
      return error.message
    }
  }

  /// The first thing in a record that no run can have measured.
  private static func impossible(_ record: RunRecord) throws -> String? {
    var keys: Set<Series.Key> = []
    for (index, series) in record.cells.enumerated() {
      let place = "cells[\(index)], \(series.cell) \(series.phase) \(series.metric.id),"
      if !keys.insert(series.key).inserted { return "\(place) is there twice" }
      if let value = series.impossibleValue { return "\(place) holds \(value)" }
      if let batch = series.batch, batch < 1 { return "cells[\(index)].batch is \(batch)" }
    }
    var rest = record
    rest.cells = []
    let json = try JSONSerialization.jsonObject(with: try encode(rest))
    return impossibleSplit(record) ?? impossibleNumber(in: json, at: "")
  }

  /// What cannot be in how a suite is split: a shard that there is not, more cells than anybody measures.
  private static func impossibleSplit(_ record: RunRecord) -> String? {
    guard let split = record.split else { return nil }
    let numbers = split.shards.map(\.number) + split.units.map(\.shard)
    if let number = numbers.first(where: { $0 < 1 || $0 > split.count }) {
      return "split names shard \(number) of \(split.count)"
    }
    let durabilities = split.units.reduce(0) { $0 + $1.durabilities.count }
    let cells = Double(durabilities) * Double(record.backends.count)
    return cells > cellLimit
      ? "split is of \(digits(cells)) cells, more than the limit of \(digits(cellLimit))" : nil
  }

  /// The first number in JSON that nothing can come to; the seed may be any.
  private static func impossibleNumber(in json: Any, at place: String) -> String? {
    switch json {
    case let object as [String: Any]:
      return object.sorted { $0.key < $1.key }.lazy.compactMap { key, value in
        impossibleNumber(in: value, at: place.isEmpty ? key : "\(place).\(key)")
      }.first
    case let list as [Any]:
      return list.enumerated().lazy.compactMap { index, value in
        impossibleNumber(in: value, at: "\(place)[\(index)]")
      }.first
    case let number as NSNumber where !place.hasSuffix("settings.scheduleSeed"):
      let least = ["settings.blocks", "machine.cores"].contains(where: place.hasSuffix) ? 1.0 : 0
      let isOne = (least...Series.most).contains(number.doubleValue)
      return isOne ? nil : "\(place) is \(digits(number.doubleValue))"
    default: return nil
    }
  }

  /// A whole number without a point.
  private static func digits(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  /// The record as JSON with sorted keys, so that equal records are equal files.
  ///
  /// - Throws: Foundation's error for a value that is no number.
  public static func encode(_ record: RunRecord) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(record) + Data("\n".utf8)
  }

  /// Replaces the file as a whole: a crash or a full disk leaves the old one.
  ///
  /// - Throws: the file system's error, as where the folder is not there.
  public static func write(_ record: RunRecord, to path: String) throws {
    try encode(record).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
