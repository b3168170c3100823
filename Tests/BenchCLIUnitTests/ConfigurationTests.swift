import Foundation
import Testing

@testable import BenchCLI

@Suite("A configuration is checked before it is believed")
struct ConfigurationTests {
  private func read(_ text: String) throws -> [ToleranceEntry] {
    try read(Data(text.utf8))
  }

  private func read(_ data: Data) throws -> [ToleranceEntry] {
    var entries: [ToleranceEntry] = []
    try inFolder { folder in
      let path = folder + "/gate.json"
      try data.write(to: URL(fileURLWithPath: path))
      do {
        entries = try Configuration(path: path).tolerances
      } catch var error as CLIError {
        error.message = error.message.replacing(folder + "/", with: "")
        throw error
      }
    }
    return entries
  }

  @Test("Entries come in the file's order with their places, whatever their keys hold")
  func entries() throws {
    let text = """
      {
        "tolerances" : {
          "instructions": "0.1%", "a\\u002fb\\"{": 2.5e1,
          "ж": 0
        }
      }
      """
    let entries = try read(text)
    #expect(entries.map(\.key) == ["instructions", "a/b\"{", "ж"])
    #expect(entries.map(\.value) == ["0.1%", "2.5e1", "0"])
    #expect(entries.map(\.isTyped) == [false, false, false])
    let places = entries.compactMap { $0.place.split(separator: "/").last }
    #expect(
      places == [
        "gate.json, line 3, column 5: ", "gate.json, line 3, column 29: ",
        "gate.json, line 4, column 5: ",
      ])
  }

  @Test("No tolerances are fine", arguments: ["{}", " { \"tolerances\" : { } } \n"])
  func none(_ text: String) throws { #expect(try read(text).isEmpty) }

  @Test(
    "A fault is named with its place",
    arguments: [
      ("", "line 1, column 1: it is empty"),
      (" \n\t", "line 1, column 1: it is empty"),
      ("{\"tolerances\": {\n\"wall\": \"5%\"", "line 2, column 13: it ends too soon"),
      ("{\"tolerances\": {\"wall\": 5%}}", "line 1, column 26: it is not JSON"),
      ("{\"tolerances\": {\"wall\": NaN}}", "line 1, column 25: it is not JSON"),
      ("{\"tolerances\": {},}", "line 1, column 19: it is not JSON"),
      ("[]", "line 1, column 1: [] is no object"),
      ("{\"tolerances\": [1, 2]}", "line 1, column 16: tolerances is [1, 2], which is no object"),
      ("{\"tolerances\": null}", "line 1, column 16: tolerances is null, which is no object"),
      ("{\"tolerance\": {}}", "line 1, column 2: unknown key 'tolerance'"),
      (
        "{\"tolerances\": {}, \"tolerances\": {}}",
        "line 1, column 20: the key \"tolerances\" is there twice"
      ),
      (
        "{\"tolerances\": {\"wall\": \"5%\",\n \"w\\u0061ll\": \"6%\"}}",
        "line 2, column 2: the key \"w\\u0061ll\" is there twice"
      ),
      (
        "{\"tolerances\": {\"allocations\": \"5\"}}",
        "line 1, column 32: \"5\" is no tolerance of 'allocations'"
      ),
      (
        "{\"tolerances\": {\"wall\": true}}",
        "line 1, column 25: true is no tolerance of 'wall'"
      ),
      (
        "{\"tolerances\": {\"wall\": {\"a\": [\"}\", 1]}}}",
        "line 1, column 25: {\"a\": [\"}\", 1]} is no tolerance of 'wall'"
      ),
      (
        "{\"tolerances\": {\"wall\": null}, \"gate\": {\"wall\": 1}}",
        "line 1, column 32: unknown key 'gate'"
      ),
      (String(repeating: "[", count: 513), "line 1, column 65: it is nested too deep"),
    ])
  func fault(_ text: String, _ words: String) {
    let error = refusal { _ = try read(text) }
    #expect(error?.status == .usage)
    #expect(
      error?.message.hasPrefix("gate.json, \(words)") == true, "\(error?.message ?? "none")")
    #expect(error?.help?.isEmpty == false)
  }

  @Test("Options, which earlier versions read, are refused with the place for them")
  func options() {
    let error = refusal { _ = try read("{\"options\": {\"budget\": 60}}") }
    #expect(error?.message == "gate.json, line 1, column 2: unknown key 'options'")
    #expect(
      error?.help == "options are no longer kept here: type them, or keep a script that does")
    let misspelt = refusal { _ = try read("{\"tolerance\": {}}") }
    #expect(misspelt?.help == "did you mean 'tolerances'? keys: tolerances")
  }

  @Test("A byte that is no text is named by its place")
  func notUTF8() {
    let error = refusal { _ = try read(Data("{\n\"".utf8) + [0xFF] + Data("\": 1}".utf8)) }
    #expect(error?.message == "gate.json, line 2, column 2: a byte that is not UTF-8")
    let cut = refusal { _ = try read(Data("{\n\"".utf8) + [0xC3]) }
    #expect(
      cut?.message
        == "gate.json, line 2, column 3: it ends in the middle of a letter, it was cut short")
  }

  @Test("A file that is missing, a folder or endless is refused in words")
  func unreadable() throws {
    for (path, reason) in [
      ("/no/gate.json", "No such file or directory"), ("/tmp", "Is a directory"),
      ("/dev/zero", "it is not a regular file"),
    ] {
      let error = refusal { _ = try Configuration(path: path) }
      #expect(error?.status == .usage)
      #expect(error?.message == "the configuration \(path) cannot be read: \(reason)")
    }
  }

  @Test("Any text cut short or with a byte changed is refused or read, never a trap")
  func mutations() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    // A trap would say nothing of it.
    print("the changed bytes of a configuration are of seed \(seed)")
    var state = seed
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(limit))
    }
    let text = Array(
      #"{"tolerances": {"json/\u0064/wall": "5%", "a": [1, {"b": "]"}], "c": -1}}"#.utf8)
    try inFolder { folder in
      let path = folder + "/gate.json"
      for _ in 0..<500 {
        var bytes = Array(text.prefix(next(2) == 0 ? text.count : next(text.count)))
        for _ in 0..<next(3) where !bytes.isEmpty {
          bytes[next(bytes.count)] = Array("\"\\{}[],: 1e\n".utf8)[next(12)]
        }
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        do {
          _ = try Configuration(path: path)
        } catch {
          let shown = String(decoding: bytes, as: UTF8.self)
          #expect((error as? CLIError)?.status == .usage, "seed \(seed): \(shown)")
        }
      }
    }
  }
}
