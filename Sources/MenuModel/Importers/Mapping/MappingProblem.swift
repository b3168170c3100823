import Basics

/// What is wrong with a mapping, or with what it finds.
package struct MappingProblem: Error, Equatable {
  /// The line of the mapping file.
  package var line: Int
  /// What the line is about: `products.variants.price`; empty for the whole.
  package var subject: String
  /// What is wrong.
  package var fault: Fault

  /// What is wrong with a line of a mapping. Places are of the menu's file: `$.items[3], line 41`.
  package enum Fault: Equatable {
    /// There is no such key.
    case unknownKey(String, choices: [String])
    /// The mapping says nothing of what a menu cannot do without.
    case missing(key: String)
    /// Something stands in the mapping where something else must.
    case unexpected(found: String, wanted: String)
    /// The path cannot be read.
    case badPath(String, JSONPathFault)
    /// The path leads nowhere from a thing that must have it.
    case findsNothing(path: String, at: String, there: String)
    /// The path leads nowhere from any of so many things.
    case neverFinds(path: String, things: String, first: String, there: String)
    /// The path leads to several values where there can be one.
    case findsMany(path: String, count: Int, at: String, found: [String])
    /// The paths together lead to more things than any menu has.
    case findsTooMany(path: String, count: Int)
    /// The path leads to a value of another type.
    case findsOther(path: String, found: String, at: String, wanted: String)
    /// A reference to something that is not there.
    case findsNoSuch(path: String, key: String, at: String, kind: String)
    /// A second thing with the same id.
    case findsAgain(path: String, key: String, at: String, kind: String)
  }

  /// Why a text is no path: what was expected at which character, from 1.
  package struct JSONPathFault: Equatable {
    package var character: Int
    package var expected: String
  }

  /// Whether the mapping is to blame by itself, whatever menu it is for.
  package var isOfMapping: Bool {
    switch fault {
    case .unknownKey, .missing, .unexpected, .badPath: true
    default: false
    }
  }
}

extension MappingProblem: CustomStringConvertible {
  /// What is wrong, in one line; the mapping's own line comes first.
  package var description: String {
    let line = isOfMapping ? "line \(line)" : "line \(line) of the mapping"
    return (subject.isEmpty ? line : "\(line), \(subject)") + ": \(words)"
  }

  private var words: String {
    switch fault {
    case .unknownKey(let key, _): "unknown key '\(key)'"
    case .missing(let key): "it says nothing of '\(key)', which every menu needs"
    case .unexpected(let found, let wanted): "\(found) stands where \(wanted) belongs"
    case .badPath(let path, let fault):
      "the path '\(path)' needs \(fault.expected) at its character \(fault.character)"
    case .findsNothing(let path, let place, let there):
      "'\(path)' finds nothing at \(place): there is \(there)"
    case .neverFinds(let path, let things, let first, let there):
      "'\(path)' finds nothing in any of \(things); the first, \(first), is \(there)"
    case .findsMany(let path, let count, let place, let found):
      "'\(path)' finds \(count) values where one belongs, at \(place): "
        + found.joined(separator: ", ") + (count > found.count ? ", …" : "")
    case .findsTooMany(let path, let count):
      "with '\(path)' the mapping has found \(count) things, far more than the file has"
    case .findsOther(let path, let found, let place, let wanted):
      "'\(path)' finds \(found) at \(place), where \(wanted) belongs"
    case .findsNoSuch(let path, let key, let place, let kind):
      "'\(path)' finds \(key.debugDescription) at \(place), the id of no \(kind)"
    case .findsAgain(let path, let key, let place, let kind):
      "'\(path)' finds \(key.debugDescription) at \(place), the id of an earlier \(kind)"
    }
  }

  /// What to do about it, in one line; nil where there is nothing to advise.
  package var help: String? {
    switch fault {
    case .unknownKey(let key, let choices):
      NearestMatch.hint(key, among: choices) + "keys: \(choices.joined(separator: ", "))"
    case .badPath: "paths: \(JSONPath.syntax)"
    case .unexpected(_, let wanted) where wanted == "a path or an object":
      #"for one value everywhere: {"value": "RUB"}"#
    case .findsNothing where subject.hasSuffix(".at"): "correct the path, or leave the list out"
    case .findsNothing:
      #"correct the path, or say what holds instead: {"path": "@.name", "default": ""}"#
    case .neverFinds: "correct the path, or leave the line out"
    case .findsMany: "choose one: [0] instead of [*]"
    case .findsTooMany: "lead to what is in the thing at hand with @, not to the whole file with $"
    case .missing, .unexpected, .findsOther, .findsNoSuch, .findsAgain: nil
    }
  }
}
