import MenuModel

/// What the server sends when the device is back: its menu, and what it knows of the device's edits.
struct ServerSnapshot: Hashable, Sendable {
  /// The server's menu.
  var menu: Menu
  /// When the server last changed a product by itself, in the edits' time.
  var changed: [Int: Int] = [:]
  /// The edits that it has, by their numbers: its menu shows what came of them.
  var received: Set<Int> = []
  /// The ids that it gave to what they created.
  var ids = ServerIDs()
}

/// The edits of a device, in the order in which they were made, and the ids that it learned.
struct OfflineQueue: Codable, Hashable, Sendable {
  /// Those of the past too, each with its mark.
  var edits: [OfflineEdit] = []
  /// The server's ids of what was created here, for whoever still holds one of the device's.
  var ids = ServerIDs()
}

extension ServerSnapshot {
  /// The server's menu with the device's edits, and the queue with what became of them: the last
  /// writer wins, product by product, the server of two at one time. Merging the outcome once more
  /// changes nothing.
  func merged(with queue: OfflineQueue) -> (menu: Menu, queue: OfflineQueue) {
    var (menu, queue) = (menu, queue)
    queue.ids.add(ids)
    for index in queue.edits.indices where queue.edits[index].mark == .waiting {
      queue.edits[index].change = queue.edits[index].change.renamed(by: queue.ids)
    }
    let gone = withdrawn(queue)
    for index in queue.edits.indices where queue.edits[index].mark == .waiting {
      queue.edits[index].mark = settle(queue.edits[index], gone, in: &menu)
    }
    return (menu, queue)
  }

  /// The device's products of which the server is never told.
  private func withdrawn(_ queue: OfflineQueue) -> Set<Int> {
    Set(
      queue.edits.compactMap { edit in
        guard case .delete(let id) = edit.change, id < 0, edit.mark == .waiting,
          !received.contains(edit.id)
        else { return nil }
        return id
      })
  }

  private func settle(_ edit: OfflineEdit, _ gone: Set<Int>, in menu: inout Menu)
    -> OfflineEdit.Mark
  {
    if received.contains(edit.id) { return .synced }
    let product = edit.change.productID
    if gone.contains(product) { return .withdrawn }
    if let time = changed[product], time >= edit.time { return .overruled }
    do {
      try menu.apply(edit.change)
      return .waiting
    } catch {
      // The server has deleted what the edit is about.
      return .overruled
    }
  }
}
