import Basics
import Foundation

/// A stored run on disk: reading it with errors that name the file, writing it atomically.
public enum RunFile {
  /// The largest file that is read, in bytes; a run of all backends and workloads takes a few MB.
  public static let sizeLimit = 500_000_000
  /// The most cells that a suite may come to: a small file could name more than memory holds.
  private static let cellLimit = 1e6

  /// Throws ``RunFileError`` when the file is missing, is not a run, or is newer than the program.
  public static func read(_ path: String) throws -> RunRecord {
    try read(try contents(path), from: path)
  }

  /// Whether a file may be a run, by its two ends: to read it whole may take seconds.
  package static func looksLikeOne(_ path: String) -> Bool {
    guard let file = FileHandle(forReadingAtPath: path),
      let head = try? file.read(upToCount: 4_096),
      let size = try? file.seekToEnd(),
      (try? file.seek(toOffset: size - min(size, 65_536))) != nil, let tail = try? file.readToEnd()
    else { return false }
    return head.first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: "{")
      && [head, tail].contains { $0.range(of: Data("\"schema\"".utf8)) != nil }
  }

  /// Throws ``RunFileError`` when it is not a run, or is newer than the program.
  package static func read(_ data: Data, from path: String) throws -> RunRecord {
    if let fault = fault(of: [UInt8](data)) {
      throw RunFileError.notARun(path: path, reason: fault)
    }
    struct Version: Decodable { var schema: Double }
    let decoder = JSONDecoder()
    do {
      let version = try decoder.decode(Version.self, from: data).schema
      guard let found = Int(exactly: version), found >= 1 else {
        throw RunFileError.notARun(
          path: path, reason: "schema \(digits(version)) does not exist")
      }
      guard found <= RunRecord.currentSchema else {
        throw RunFileError.newerSchema(
          path: path, found: found, supported: RunRecord.currentSchema)
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

  /// The bytes of a file, which is asked for its kind and size before it is opened: a pipe would be
  /// waited for, and a sparse file may be larger than the memory.
  package static func contents(_ path: String) throws(RunFileError) -> Data {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw .unreadable(path: path, reason: errnoMessage())
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw .unreadable(
        path: path, reason: isFolder ? "it is a folder" : "it is not a regular file")
    }
    guard status.st_size <= sizeLimit else {
      throw .notARun(
        path: path, reason: "it has \(status.st_size) bytes, more than the limit of \(sizeLimit)")
    }
    guard access(path, R_OK) == 0 else {
      throw .unreadable(path: path, reason: errnoMessage())
    }
    do { return try Data(contentsOf: URL(fileURLWithPath: path)) } catch {
      throw .unreadable(path: path, reason: systemReason(error))
    }
  }

  /// Why a text is no JSON, or JSON of which nobody can tell what it says; nil of one that is sound. Foundation's
  /// decoder traps on some broken texts, tells no position and takes either value of a key that is there twice: ask
  /// before it is used.
  package static func fault(of text: [UInt8]) -> String? {
    var scanner = JSONScanner(text, nestingLimit: 64)
    do throws(JSONScanner.Fault) {
      try scanner.scan()
    } catch {
      return reason(error, text)
    }
    if let offset = UTF8Check.firstInvalid(text) {
      return "it is not UTF-8 at \(TextPosition(offset: offset, in: text))"
    }
    return scanner.repeatedKey.map { key in
      "the key \(String(decoding: text[key], as: UTF8.self)) at "
        + "\(TextPosition(offset: key.lowerBound, in: text)) is there twice in one object"
    }
  }

  /// The first thing in a record that no run can have measured.
  private static func impossible(_ record: RunRecord) -> String? {
    var keys: Set<Series.Key> = []
    for (index, series) in record.cells.enumerated() {
      let place = "cells[\(index)], \(series.cell) \(series.phase) \(series.metric.id),"
      if !keys.insert(series.key).inserted { return "\(place) is there twice" }
      if let value = series.impossibleValue { return "\(place) holds \(value)" }
    }
    return impossibleNumber(record) ?? impossibleSplit(record)
  }

  /// What cannot be in how a suite is split: a shard that there is not, more cells than anybody measures.
  private static func impossibleSplit(_ record: RunRecord) -> String? {
    guard let split = record.split else { return nil }
    let shards: [(String, Int)] =
      split.shards.enumerated().map { ("split.shards[\($0.offset)].number", $0.element.number) }
      + split.units.enumerated().map { ("split.units[\($0.offset)].shard", $0.element.shard) }
    if let (name, number) = shards.first(where: { $0.1 < 1 || $0.1 > split.count }) {
      return "\(name) is \(number) of \(split.count)"
    }
    let durabilities = split.units.reduce(0) { $0 + $1.durabilities.count }
    let cells = Double(durabilities) * Double(record.backends.count)
    return cells > cellLimit
      ? "split is of \(digits(cells)) cells, more than the limit of \(digits(cellLimit))" : nil
  }

  private static func impossibleNumber(_ record: RunRecord) -> String? {
    var numbers = bounds(record.settings, record.machine)
    for (index, shard) in (record.split?.shards ?? []).enumerated() {
      guard let settings = shard.settings, let machine = shard.machine else { continue }
      let place = "split.shards[\(index)]."
      numbers += bounds(settings, machine).map { (place + $0.name, $0.value, $0.least) }
    }
    for (place, outcome) in record.outcomes.enumerated() {
      numbers.append(("outcomes[\(place)].timedBlocks", Double(outcome.timedBlocks), 0))
      numbers.append(("outcomes[\(place)].seconds", outcome.seconds, 0))
    }
    for (menu, info) in record.menus.enumerated() {
      numbers += info.counts.enumerated().map {
        ("menus[\(menu)].counts[\($0.offset)].count", Double($0.element.count), 0)
      }
    }
    for (place, series) in record.cells.enumerated() where series.batch != nil {
      numbers.append(("cells[\(place)].batch", series.batch.map(Double.init), 1))
    }
    let most = Series.most
    return numbers.lazy.compactMap { name, value, least in
      value.flatMap { least <= $0 && $0 <= most ? nil : "\(name) is \(digits($0))" }
    }.first
  }

  /// The numbers of one machine and what was asked of it, each with the least that it can be.
  private static func bounds(
    _ settings: Settings, _ machine: Machine
  ) -> [(name: String, value: Double?, least: Double)] {
    [
      ("settings.blocks", settings.blocks.map(Double.init), 1),
      ("settings.budgetSeconds", settings.budgetSeconds, 0),
      ("settings.targetPrecision", settings.targetPrecision, 0),
      ("machine.cores", machine.cores.map(Double.init), 1),
      ("machine.memoryBytes", machine.memoryBytes.map(Double.init), 0),
      ("machine.loadAverage", machine.loadAverage, 0),
      ("machine.clockResolution", machine.clockResolution, 0),
      ("machine.emptySample", machine.emptySample, 0),
      ("machine.emptyCPUSample", machine.emptyCPUSample, 0),
    ]
  }

  /// A whole number without a point.
  private static func digits(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? "\(number)"
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

/// Why a stored run could not be read.
public enum RunFileError: Error, Equatable {
  case unreadable(path: String, reason: String)
  /// The file is not a run record, or is cut short.
  case notARun(path: String, reason: String)
  case newerSchema(path: String, found: Int, supported: Int)
}

extension RunFileError: UserFacingError {
  package var message: String {
    switch self {
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .notARun(let path, let reason): "\(path) is not a stored run: \(reason)"
    case .newerSchema(let path, let found, let supported):
      "\(path) has schema \(found), this program reads up to schema \(supported)"
    }
  }

  package var help: String? {
    switch self {
    case .unreadable: nil
    case .notARun: "give the run.json of a 'bench run'"
    case .newerSchema: "use the newer program that wrote it"
    }
  }
}
