import Basics
import BenchDocuments
import BenchEngine
import PersistenceBackends

/// Finds the backends that were typed, by their ids or as `CODEC@PLACE`.
struct BackendNames<Document: BenchDocument> {
  let suite: Suite<Document>

  /// Returns the backends of a list such as `json,protobuf@lmdb`, in the order given, without
  /// repetition. For `all`, returns those with names of their own.
  func list(_ argument: String) throws -> [BackendEntry<Document>] {
    if argument == "all" { return suite.backends }
    return try ValidNames.split(argument).map(one).uniqued(on: \.id)
  }

  func one(_ name: String) throws -> BackendEntry<Document> {
    if let entry = suite.backend(named: name) { return entry }
    if let place = name.firstIndex(of: ":") {
      throw unset(try one(String(name[..<place])), String(name[name.index(after: place)...]))
    }
    let parts = name.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
    guard parts.count > 1, !suite.codecs.isEmpty else {
      let ids = ValidNames(kind: "backend", ids: suite.backends.map(\.id))
      var error = ids.unknown(name)
      if !suite.codecs.isEmpty {
        error.help? += ", or CODEC@PLACE (see bench list), or your own (see bench init)"
      }
      throw error
    }
    guard parts.count == 2, !parts.contains("") else {
      throw CLIError(
        "'\(name)' is not one codec at one place", help: "give CODEC@PLACE. \(codecs); \(places)",
        status: .usage)
    }
    throw problem(codec: parts[0], place: parts[1])
  }

  /// Explains what is wrong with a backend's setting.
  private func unset(_ entry: BackendEntry<Document>, _ setting: String) -> CLIError {
    let choices = entry.settings.map { "\(entry.id):\($0.name)=…, \($0.summary)" }
    guard !choices.isEmpty else {
      return CLIError("'\(entry.id)' has no settings", help: "give its id alone", status: .usage)
    }
    return CLIError(
      "'\(setting)' is not a setting of \(entry.id)", help: choices.joined(separator: "; "),
      status: .usage)
  }

  /// Explains why there is no such pair.
  private func problem(codec: String, place: String) -> CLIError {
    guard codecIDs.contains(codec) else {
      return whole(codec, isNo: "codec", help: codecs)
        ?? ValidNames(kind: "codec", ids: codecIDs).unknown(codec)
    }
    return whole(place, isNo: "place for bytes", help: places)
      ?? ValidNames(kind: "place", ids: placeIDs).unknown(place)
  }

  /// Explains why a backend cannot be a codec or a place. Nil if the name is not a backend's.
  private func whole(_ id: String, isNo part: String, help: String) -> CLIError? {
    guard let entry = suite.backends.first(where: { $0.id == id }) else { return nil }
    let reason =
      entry.pair.map { "it already means \($0)" }
      ?? "it is a complete backend, which keeps no bytes of a codec"
    return CLIError("'\(id)' is not a \(part): \(reason)", help: help, status: .usage)
  }

  private var codecIDs: [String] { suite.codecs.map(\.id) }
  private var placeIDs: [String] { suite.places.map(\.id) }
  private var codecs: String { "codecs: " + codecIDs.joined(separator: ", ") }
  private var places: String { "places: " + placeIDs.joined(separator: ", ") }
}
