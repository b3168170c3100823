import BackendKit
import Basics
import BenchEngine
import BenchProbes
import Foundation
import MenuModel

/// `types`: what a codec takes for values of one type after another, ten thousand of each.
///
/// No store is touched and the menu does not matter: whoever chooses a type for a field of their own
/// learns what it costs beside another. Backends whose codec takes menus alone have no figures.
package struct TypesWorkload: Workload {
  /// What the backend stores.
  package typealias Document = Menu

  /// `types`.
  package let name = "types"
  /// What it tells.
  package let summary =
    "10,000 values of each type that fields have, encoded and decoded by the backend's codec"
  /// Encoding and decoding of each type: together its cost.
  package let phases: [Phase] = TypeSheets.all.flatMap { [$0.encode, $0.decode] }
  /// Nothing of the store is looked at.
  package let beginsStored = true

  /// It has no settings.
  package init() {}

  /// Only where the codec takes any `Codable` value.
  package func refusal(of backend: BackendEntry<Menu>) -> String? {
    backend.codesValues ? nil : "its codec takes menus alone, not values of any type"
  }

  /// The sheets with their values, which take longer to draw than a command takes to start.
  package func plan(for menu: Menu) throws -> Sheets {
    Sheets(all: TypeSheets.all.map { $0.drawn() })
  }

  /// What is coded.
  package struct Sheets: Sendable {
    let all: [any TypeSheet]
  }

  /// Codes each sheet once, and compares what comes back.
  package func iterate<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by plan: Sheets
  ) throws {
    guard let codec = site.backend as? any ValueCoding else {
      throw WorkloadFailure("the backend's codec takes menus alone")
    }
    for sheet in plan.all { try sheet.run(on: site, by: codec) }
  }
}

/// The sheets that ``TypesWorkload`` codes, in the order of its phases.
enum TypeSheets {
  /// How many values each has.
  static let count = 10_000

  /// One a type; values are drawn by a seed, as fields of menus have them.
  static let all: [any TypeSheet] = [
    Sheet("int") { Row(value: $0.below(10_000_000)) },
    Sheet("string") { Row(value: text(&$0)) },
    Sheet("uuid") { Row(value: uuid(&$0)) },
    Sheet("date") { Row(value: date(&$0)) },
    Sheet("decimal") { Row(value: Decimal($0.below(1_000_000)) / 100) },
    Sheet("url") { Row(value: url(&$0)) },
    Sheet("optional") { MaybeRow(value: $0.below(10_000_000)) },
    Sheet("absent") { _ in MaybeRow(value: nil) },
  ]

  private static func text(_ random: inout SplitMix64) -> String {
    let words = ["Пицца", "сырная", "Cola", "острая", "с беконом", "light", "30 см", "Éclair"]
    return (0...random.below(3)).map { _ in words[random.below(words.count)] }.joined(
      separator: " ")
  }

  private static func uuid(_ random: inout SplitMix64) -> UUID {
    let bytes = [random.next(), random.next()].flatMap { word in
      (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) }
    }
    return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }

  /// A whole second of some years around 2026.
  private static func date(_ random: inout SplitMix64) -> Date {
    Date(timeIntervalSinceReferenceDate: 700_000_000 + Double(random.below(200_000_000)))
  }

  private static func url(_ random: inout SplitMix64) -> URL {
    let name = String(random.next(), radix: 16)
    return URL(string: "https://images.example/menu/\(name).webp") ?? URL(filePath: "/")
  }
}

/// Values of one type, with the two phases that code them.
protocol TypeSheet: Sendable {
  var encode: Phase { get }
  var decode: Phase { get }
  /// Itself with its values.
  func drawn() -> Self
  /// Measures both phases.
  ///
  /// - Throws: ``WorkloadFailure`` where other values come back.
  func run<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by codec: any ValueCoding
  ) throws
}

/// A field that is always there.
private struct Row<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
  var value: Value
}

/// A field that may be absent, which `Codable` then leaves out.
private struct MaybeRow: Codable, Hashable, Sendable {
  var value: Int?
}

/// Rows with one field, as a document that a codec takes.
private struct Sheet<Row: Codable & Hashable & Sendable>: TypeSheet {
  let encode: Phase
  let decode: Phase
  private let row: @Sendable (inout SplitMix64) -> Row
  private var document = Document(rows: [])

  struct Document: BenchDocument, Hashable {
    var rows: [Row]

    var counts: [(of: String, count: Int)] { [("values", rows.count)] }
    /// Nothing tells by it: sheets are compared as they are.
    func visit(_ checksum: inout Checksum) { checksum.add(rows.count) }
    /// Itself.
    func revised(_ number: Int) -> Self { self }
  }

  init(_ type: String, _ row: @escaping @Sendable (inout SplitMix64) -> Row) {
    self.row = row
    encode = Phase("encode-\(type)", decides: true, as: type)
    decode = Phase("decode-\(type)", decides: true, as: type)
  }

  func drawn() -> Self {
    var random = SplitMix64(seed: 2026)
    var sheet = self
    sheet.document.rows = (0..<TypeSheets.count).map { _ in row(&random) }
    return sheet
  }

  func run<B: Backend<Menu>, Clock: WallClock>(
    on site: WorkSite<B, Clock>, by codec: any ValueCoding
  ) throws {
    let bytes = try site.measure(encode) { try codec.bytes(of: document) }
    let found = try site.measure(decode) { try codec.value(Document.self, of: bytes) }
    guard found != document else { return }
    let place = zip(found.rows, document.rows).prefix { $0 == $1 }.count
    throw WorkloadFailure("\(decode.id) gives another value at place \(place + 1)")
  }
}
