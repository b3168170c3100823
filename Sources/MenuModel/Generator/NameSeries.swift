/// Names in a fixed order: every head, then every head with an addition, then with two.
///
/// They differ until all are used: 26 heads and 25 additions give 16,276.
struct NameSeries {
  let heads: [Word]
  let additions: [Word]
  var before = Word(" с ", " with ")
  var between = Word(" и ", " and ")

  func append(_ index: Int, to text: inout TextPair) {
    text.append(heads[index % heads.count])
    let level = index / heads.count
    guard level > 0 else { return }
    let place = (level - 1) % (additions.count * additions.count)
    text.append(before)
    if place < additions.count {
      text.append(additions[place])
    } else {
      appendTwo(place - additions.count, to: &text)
    }
  }

  private func appendTwo(_ place: Int, to text: inout TextPair) {
    let first = place / (additions.count - 1)
    let second = first + 1 + place % (additions.count - 1)
    text.append(additions[first])
    text.append(between)
    text.append(additions[second % additions.count])
  }
}
