/// The samples of one phase: rows of one value for each metric, with room for one more at any time.
@usableFromInline
struct SampleStore {
  private(set) var rows: UnsafeMutablePointer<Double>
  private(set) var count = 0
  private var capacity: Int
  private let width: Int

  init(width: Int, capacity: Int) {
    self.width = width
    self.capacity = capacity
    rows = .allocate(capacity: width * capacity)
    // Touches every page, so that no phase pays for it.
    rows.initialize(repeating: 0, count: width * capacity)
  }

  /// Where the next sample goes.
  var next: UnsafeMutablePointer<Double> { rows + count * width }

  /// The row that was kept last; there must be one.
  var last: UnsafeMutablePointer<Double> { rows + (count - 1) * width }

  /// Keeps the row that was written last.
  mutating func keep() {
    count += 1
    if count == capacity { grow() }
  }

  /// Makes one of the last two rows: the values of each column joined.
  mutating func joinLastTwo(_ join: (_ column: Int, Double, Double) -> Double) {
    guard count > 1 else { return }
    let row = rows + (count - 2) * width
    for column in 0..<width { row[column] = join(column, row[column], row[column + width]) }
    count -= 1
  }

  /// Forgets all samples and keeps the room.
  mutating func removeAll() { count = 0 }

  func deallocate() { rows.deallocate() }

  private mutating func grow() {
    let old = self
    self = SampleStore(width: width, capacity: capacity * 2)
    count = old.count
    rows.update(from: old.rows, count: count * width)
    old.deallocate()
  }
}
