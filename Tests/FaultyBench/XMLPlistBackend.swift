import BenchDocuments
import Foundation
import PersistenceBackends

extension BackendEntry {
  /// `xml-plist`: what `PropertyListEncoder` makes in its XML format, in one file.
  public static var xmlPlist: Self {
    Self(
      id: "xml-plist", summary: "XML property list by Foundation, in one file",
      library: .foundation, promises: .durable, codec: XMLPropertyListCodec()
    ) { FilePlace($0, name: "menu.xml") }
  }
}

/// An XML property list by Foundation.
struct XMLPropertyListCodec: Codec {
  func encode<Document: BenchDocument>(_ document: Document) throws -> Data {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return try encoder.encode(document)
  }

  func decode<Document: BenchDocument>(_ type: Document.Type, from bytes: Data) throws -> Document {
    try PropertyListDecoder().decode(type, from: bytes)
  }
}
