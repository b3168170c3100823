import Foundation
import Testing

@testable import BenchCLI

@Suite("A configuration is checked before it is used")
struct ConfigurationTests {
  private func read(_ data: Data) throws -> [RuleEntry] {
    var entries: [RuleEntry] = []
    try inFolder { folder in
      let path = folder + "/gate.json"
      try data.write(to: URL(fileURLWithPath: path))
      do {
        entries = try Configuration(path: path).entries
      } catch var error as CLIError {
        error.message = error.message.replacing(folder + "/", with: "")
        throw error
      }
    }
    return entries
  }

  @Test("Entries have their places and the order of the file, whatever their keys contain")
  func entries() throws {
    let text = """
      {
        "tolerances" : {
          "instructions": "0.1%", "a\\u002fb\\"{": 2.5e1,
          "ж": 0
        }, "limits": {"*/save/wall": "16ms"}
      }
      """
    let entries = try read(Data(text.utf8))
    #expect(entries.map(\.kind) == [.tolerance, .tolerance, .tolerance, .limit])
    #expect(entries.map(\.key) == ["instructions", "a/b\"{", "ж", "*/save/wall"])
    #expect(entries.map(\.value) == ["0.1%", "25", "0", "16ms"])
    #expect(entries.allSatisfy { !$0.isTyped })
    let places = entries.compactMap { $0.place.split(separator: "/").last }
    #expect(
      places == [
        "gate.json, line 3, column 5: ", "gate.json, line 3, column 29: ",
        "gate.json, line 4, column 5: ", "gate.json, line 5, column 17: ",
      ])
  }

  @Test("No tolerances are fine", arguments: ["{}", " { \"tolerances\" : { } } \n"])
  func none(_ text: String) throws { #expect(try read(Data(text.utf8)).isEmpty) }

  @Test(
    "A fault is named with its place",
    arguments: [
      ("", ": it is empty"),
      (" \n\t", ": it ends too soon and was cut short"),
      ("{\"tolerances\": {\n\"wall\": \"5%\"", ": it ends too soon and was cut short"),
      ("{\"tolerances\": {\"wall\": 5%}}", ": it is not JSON at line 1, column 26"),
      ("{\"tolerances\": {\"wall\": NaN}}", ": it is not JSON at line 1, column 25"),
      ("{\"tolerances\": {},}", ": it is not JSON at line 1, column 19"),
      ("[]", ": it is not an object"),
      ("{\"tolerances\": [1, 2]}", ": tolerances is not an object"),
      ("{\"tolerances\": null}", ": tolerances is null where a value is needed"),
      ("{\"tolerance\": {}}", "line 1, column 2: unknown key 'tolerance'"),
      (
        "{\"tolerances\": {}, \"tolerances\": {}}",
        ": the key \"tolerances\" at line 1, column 20 occurs twice in one object"
      ),
      (
        "{\"tolerances\": {\"wall\": \"5%\",\n \"w\\u0061ll\": \"6%\"}}",
        ": the key \"wall\" at line 2, column 2 occurs twice in one object"
      ),
      ("{\"tolerances\": {\"wall\": true}}", "line 1, column 17: the value of 'wall'"),
      (
        "{\"limits\": {\"wall\": {\"a\": [\"}\", 1]}}}", "line 1, column 13: the value of 'wall'"
      ),
      (
        "{\"tolerances\": {\"wall\": null}, \"gate\": {\"wall\": 1}}",
        "line 1, column 32: unknown key 'gate'"
      ),
      (String(repeating: "[", count: 10_000), ": it is nested too deeply at line 1, column 513"),
    ])
  func fault(_ text: String, _ words: String) {
    let error = refusal { _ = try read(Data(text.utf8)) }
    #expect(error?.status == .usage)
    #expect(
      error?.message.hasPrefix("gate.json\(words.hasPrefix(":") ? "" : ", ")\(words)") == true,
      "\(error?.message ?? "none")")
    #expect(error?.help?.isEmpty == false)
  }

  @Test("Unknown keys and invalid text are refused with their place")
  func options() {
    let notUTF8 = refusal { _ = try read(Data("{\n\"".utf8) + [0xFF] + Data("\": 1}".utf8)) }
    #expect(notUTF8?.message == "gate.json: it is not UTF-8 at line 2, column 2")
    let error = refusal { _ = try read(Data("{\"options\": {\"budget\": 60}}".utf8)) }
    #expect(error?.message == "gate.json, line 1, column 2: unknown key 'options'")
    let misspelt = refusal { _ = try read(Data("{\"tolerance\": {}}".utf8)) }
    #expect(misspelt?.help == "did you mean 'tolerances'? keys: tolerances, limits")
  }

  @Test("A missing file, a folder and an endless file are refused with a reason")
  func unreadable() throws {
    for (path, reason) in [
      ("/no/gate.json", "No such file or directory"), ("/tmp", "it is a folder"),
      ("/dev/zero", "it is not a regular file"),
    ] {
      let error = refusal { _ = try Configuration(path: path) }
      #expect(error?.status == .usage)
      #expect(error?.message == "the configuration \(path) cannot be read: \(reason)")
    }
  }
}
