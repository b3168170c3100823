import Basics
import Foundation

/// Reads and writes stored runs. Errors name the file, and writes are atomic.
public enum RunFile {
  /// The largest file that is read, in bytes. A run of all backends and workloads takes a few MB.
  public static let sizeLimit = 500_000_000
  /// The most cells that a suite may have: a small file could name more than memory holds.
  private static let cellLimit = 1e6

  /// Reads a run. Throws a refusal if the file is missing, is not a run, or is newer than the program.
  public static func read(_ path: String) throws -> RunRecord {
    try read(try contents(path), from: path)
  }

  /// Returns whether a file may be a run. It only reads the end, where the sorted keys have the
  /// settings: reading the whole file may take seconds, and opening a pipe may wait forever.
  package static func looksLikeOne(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let file = FileHandle(forReadingAtPath: path), let size = try? file.seekToEnd(),
      (try? file.seek(toOffset: size - min(size, 65_536))) != nil, let tail = try? file.readToEnd()
    else { return false }
    return tail.range(of: Data("\"scheduleSeed\"".utf8)) != nil
  }

  /// Decodes a run. Throws a refusal if the data is not a run, or is newer than the program.
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
          "\(path) has schema \(found), but this program reads only up to schema \(known)",
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

  /// Returns why a text is not JSON, or is ambiguous JSON, or nil if it is sound. Foundation's decoder
  /// traps on some texts, so check first. BenchProcesses also checks what a worker sends.
  package static func fault(of text: [UInt8]) -> String? {
    do {
      try JSONScanner.scan(text)
      return nil
    } catch {
      return error.message
    }
  }

  /// Returns the first thing in a record that no run can have measured, or nil if there is none.
  private static func impossible(_ record: RunRecord) throws -> String? {
    var keys: Set<Series.Key> = []
    for (index, series) in record.cells.enumerated() {
      let place = "cells[\(index)], \(series.cell) \(series.phase) \(series.metric.id),"
      if !keys.insert(series.key).inserted { return "\(place) occurs twice" }
      if let value = series.impossibleValue { return "\(place) holds \(value)" }
      if let batch = series.batch, batch < 1 { return "cells[\(index)].batch is \(batch)" }
    }
    var rest = record
    rest.cells = []
    let json = try JSONSerialization.jsonObject(with: try encode(rest))
    return impossibleSplit(record) ?? impossibleNumber(in: json, at: "")
  }

  /// Returns what is impossible in a suite's split: an unknown shard, or more cells than the limit.
  private static func impossibleSplit(_ record: RunRecord) -> String? {
    guard let split = record.split else { return nil }
    let numbers = split.shards.map(\.number) + split.units.map(\.shard)
    if let number = numbers.first(where: { $0 < 1 || $0 > split.count }) {
      return "split names shard \(number) of \(split.count)"
    }
    let durabilities = split.units.reduce(0) { $0 + $1.durabilities.count }
    let cells = Double(durabilities) * Double(record.backends.count)
    return cells > cellLimit
      ? "split has \(digits(cells)) cells, more than the limit of \(digits(cellLimit))" : nil
  }

  /// Returns the first impossible number in JSON. The seed may be any number.
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

  /// Writes a whole number without a decimal point.
  private static func digits(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
  }

  /// Encodes the record as JSON with sorted keys, so that equal records give equal files.
  ///
  /// - Throws: Foundation's error for a value that is not a finite number.
  public static func encode(_ record: RunRecord) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(record) + Data("\n".utf8)
  }

  /// Replaces the file as a whole: a crash or a full disk leaves the old one.
  ///
  /// - Throws: The file system's error, for example if the folder is missing.
  public static func write(_ record: RunRecord, to path: String) throws {
    try encode(record).write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
