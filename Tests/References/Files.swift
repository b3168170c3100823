import Foundation
import MenuModel
import ProtobufBackends
import SwiftProtobuf

/// Foundation alone: `JSONEncoder`, `Data`'s own atomic write, `JSONDecoder`.
enum JSONAlone {
  static func measure() throws -> Laps {
    let encoder = JSONEncoder()
    return try keep { laps, turn in
      try laps.time("encode") { try encoder.encode(References.menus[turn % 2]) }
    }
  }

  /// The same for JSON that came from elsewhere.
  static func measureResponse() throws -> Laps {
    let responses = try References.menus.map { try JSONEncoder().encode($0) }
    return try keep { _, turn in responses[turn % 2] }
  }

  private static func keep(_ json: (inout Laps, Int) throws -> Data) throws -> Laps {
    let decoder = JSONDecoder()
    return try Laps.run { laps, turn, folder in
      let file = URL(filePath: folder + "/menu.json")
      let bytes = try json(&laps, turn)
      try laps.time("write") { try bytes.write(to: file, options: .atomic) }
      let read = try laps.time("read") { try Data(contentsOf: file) }
      let found = try laps.time("decode") { try decoder.decode(Menu.self, from: read) }
      guard found == References.menus[turn % 2] else { throw Problem("JSON gave another menu") }
    }
  }
}

/// swift-protobuf alone: messages to bytes and back, without making messages of a menu or a menu of them.
enum ProtobufAlone {
  static func measure() throws -> Laps {
    let messages = try References.menus.map { try message(of: $0) }
    return try Laps.run { laps, turn, folder in
      let file = URL(filePath: folder + "/menu.pb")
      let message = messages[turn % 2]
      let bytes = try laps.time("encode") { try message.serializedBytes() as Data }
      try laps.time("write") { try bytes.write(to: file, options: .atomic) }
      let read = try laps.time("read") { try Data(contentsOf: file) }
      let found = try laps.time("decode") { try PBMenu(serializedBytes: read) }
      guard found == message else { throw Problem("protobuf gave another message") }
    }
  }

  /// The message of a menu, as the backend wrote it.
  static func message(of menu: Menu) throws -> PBMenu {
    try Stores.made(by: .protobuf, of: menu) {
      try PBMenu(serializedBytes: Data(contentsOf: URL(filePath: $0 + "/menu.pb")))
    }
  }
}
