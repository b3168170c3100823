import BackendKit

/// A menu as objects and the links between them, each kind in the order of its keys.
///
/// The size of a payload counts the values bound: 8 bytes for a number, the UTF-8 length of a text,
/// 0 for NULL.
package struct ObjectGraph: Hashable, Sendable {
  private static let empty = GraphTable.allCases.map { GraphRows(table: $0) }

  private(set) var tables = Self.empty

  subscript(table: GraphTable) -> GraphRows {
    _read { yield tables[table.rawValue] }
    _modify { yield &tables[table.rawValue] }
  }

  /// The size of all values in bytes.
  var bytes: Int {
    var counter = SizeCounter()
    for rows in tables { for row in 0..<rows.count { rows.put(row, into: &counter) } }
    return counter.bytes
  }

  /// Replaces keys. `key` maps the kind of object and its old key to the new key.
  mutating func rekey(
    _ places: (TableShape) -> [KeyPlace], _ key: (GraphTable, Int) throws -> Int
  ) rethrows {
    for index in tables.indices {
      try tables[index].rekey(places(tables[index].table.shape), key)
    }
  }
}

extension GraphTable {
  /// The schema of an object graph's store.
  static let schema = StoreSchema(
    content: "an object", owner: 0, version: 2,
    creation: allCases.flatMap(\.shape.table.creation))
}

/// A value that ``GraphBuilder`` adds to a row.
enum GraphValue {
  case integer(Int)
  case integerIfAny(Int?)
  case real(Double)
  case text(String?)
}

/// The rows of one table in the order of their keys.
///
/// All numbers are in one array and all texts in another, with a fixed count per row, so a row needs no
/// allocation. A number that may be NULL takes two places. The first says whether it is there.
struct GraphRows: Hashable, Sendable {
  let table: GraphTable
  private(set) var count = 0
  // Not Int: it must hold the bits of a Double, and Int has 32 bits on Apple Watch.
  private(set) var numbers: [Int64] = []
  private(set) var texts: [String?] = []

  /// The number of numbers and of texts per row.
  let (width, textWidth): (Int, Int)

  init(table: GraphTable) {
    self.table = table
    (width, textWidth) = (table.shape.numbers, table.shape.texts)
  }

  /// The key of an object, or of a link's source.
  func key(of row: Int) -> Int { number(0, of: row) }
  func id(of row: Int) -> Int { number(1, of: row) }
  /// The key of the object's owner.
  func owner(of row: Int) -> Int { number(2, of: row) }
  /// The key of the object at the end of a link.
  func target(of row: Int) -> Int { number(2, of: row) }

  /// A key in a row, or nil if it is NULL.
  func key(_ place: KeyPlace, of row: Int) -> Int? {
    let exists = !place.column.isOptional || number(place.number - 1, of: row) != 0
    return exists ? number(place.number, of: row) : nil
  }

  /// A key in a row by the name of its column, or nil if it is NULL.
  func link(_ name: String, of row: Int) -> Int? {
    table.shape.links.first { $0.column.name.description == name }.flatMap { key($0, of: row) }
  }

  /// Passes on a row's values in the order of the columns. If there is a map, replaces the keys.
  func put(_ row: Int, into sink: inout some ValueSink, by keys: KeyMap? = nil) {
    var (number, text) = (row * width, row * textWidth)
    for column in table.shape.columns {
      if case .text = column.content {
        if let text = texts[text] { sink.put(text) } else { sink.putNull() }
        text += 1
        continue
      }
      if column.isOptional { number += 1 }
      switch (column.content, numbers[number]) {
      case _ where column.isOptional && numbers[number - 1] == 0: sink.putNull()
      case (.real, let bits): sink.put(Double(bitPattern: UInt64(bitPattern: bits)))
      case (.key(let kind), let key):
        if let keys { sink.put(keys[kind, Int(key)] ?? 0) } else { sink.put(Int(key)) }
      case (_, let integer): sink.put(Int(integer))
      }
      number += 1
    }
  }

  /// Begins a row. Its key must not be less than that of any row before it.
  mutating func append(_ key: Int, _ second: Int, _ third: Int) {
    begin()
    numbers.append(Int64(key))
    numbers.append(Int64(second))
    numbers.append(Int64(third))
  }

  /// Adds the next value of the row that was begun last.
  @inline(__always)
  mutating func append(_ value: GraphValue) {
    switch value {
    case .integer(let number): numbers.append(Int64(number))
    case .integerIfAny(let number):
      numbers.append(number == nil ? 0 : 1)
      numbers.append(Int64(number ?? 0))
    case .real(let number): numbers.append(Int64(bitPattern: number.bitPattern))
    case .text(let text): texts.append(text)
    }
  }

  /// Adds every row of a SELECT.
  mutating func append(
    _ selection: PreparedStatement, _ bind: (inout RowBinder) -> Void = { _ in }
  ) throws {
    let (attributes, width) = (table.shape.attributes, width)
    // Numbers are appended in batches, so that the array checks its uniqueness and capacity less often.
    // A kilobyte fits onto the stack.
    try withUnsafeTemporaryAllocation(of: Int64.self, capacity: 128) { buffer in
      var filled = 0
      try selection.each(bind) { row in
        begin()
        if filled + width > buffer.count {
          numbers.append(contentsOf: buffer[..<filled])
          filled = 0
        }
        var reader = row
        buffer[filled] = Int64(reader.int())
        buffer[filled + 1] = Int64(reader.int())
        buffer[filled + 2] = Int64(reader.int())
        filled += 3
        for column in attributes {
          if case .text = column.content {
            let isNull = column.isOptional && reader.skipNull()
            texts.append(try isNull ? nil : reader.text())
            continue
          }
          if column.isOptional {
            let isNull = reader.skipNull()
            buffer[filled] = isNull ? 0 : 1
            buffer[filled + 1] = try isNull ? 0 : reader.number(column.content)
            filled += 2
          } else {
            buffer[filled] = try reader.number(column.content)
            filled += 1
          }
        }
      }
      numbers.append(contentsOf: buffer[..<filled])
    }
  }

  /// Counts a row. With the first row, reserves memory for a few, so that capacity doubles from there
  /// and not from one value.
  private mutating func begin() {
    count += 1
    guard count == 1 else { return }
    numbers.reserveCapacity(4 * width)
    texts.reserveCapacity(4 * textWidth)
  }

  fileprivate mutating func rekey(
    _ places: [KeyPlace], _ key: (GraphTable, Int) throws -> Int
  ) rethrows {
    for place in places {
      for row in 0..<count {
        guard let known = self.key(place, of: row) else { continue }
        numbers[row * width + place.number] = Int64(try key(place.kind, known))
      }
    }
  }

  private func number(_ place: Int, of row: Int) -> Int {
    Int(numbers[row * width + place])
  }

  /// Finds the links of a source, first at a guessed place and only then by bisection. A graph that was
  /// written as a whole is therefore read in one pass over each table.
  func links(of source: Int, near guess: Int) -> Range<Int> {
    let isBefore = guess == 0 || key(of: guess - 1) < source
    let exists = isBefore && (guess == count || key(of: guess) >= source)
    let start = exists ? guess : start(of: source)
    var end = start
    while end < count, key(of: end) == source { end += 1 }
    return start..<end
  }

  /// The row of an object, or nil if there is none. Keys have gaps only in a store that lost objects.
  func row(of key: Int) -> Int? {
    if key > 0, key <= count, self.key(of: key - 1) == key { return key - 1 }
    let start = start(of: key)
    return start < count && self.key(of: start) == key ? start : nil
  }

  /// The index of the first row with a key, or the index at which it would be inserted.
  private func start(of key: Int) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if self.key(of: middle) < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension RowReader {
  /// Reads a column as the number that ``GraphRows`` stores.
  @inline(__always)
  fileprivate mutating func number(_ content: GraphColumn.Content) throws -> Int64 {
    switch content {
    case .real: Int64(bitPattern: try double().bitPattern)
    case .flag: try bool() ? 1 : 0
    case .integer, .key, .text: Int64(int())
    }
  }
}

/// Maps the keys of another store, or ids, to keys, for each kind of object.
struct KeyMap {
  private var maps = Array(repeating: [Int: Int](), count: GraphTable.kinds.count)

  subscript(kind: GraphTable, number: Int) -> Int? {
    get { maps[kind.rawValue][number] }
    set { maps[kind.rawValue][number] = newValue }
  }

  /// Adds a key unless the number already has one.
  mutating func add(_ kind: GraphTable, _ number: Int, _ key: Int) {
    if self[kind, number] == nil { self[kind, number] = key }
  }

  /// All keys of a kind.
  func values(_ kind: GraphTable) -> Set<Int> { Set(maps[kind.rawValue].values) }
}
