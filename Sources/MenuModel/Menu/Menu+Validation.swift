extension Menu {
  /// What is wrong with the menu, in the order of its parts; at most `limit` problems.
  ///
  /// Ids are unique among things of one kind (variants and slots in the whole menu), everything that
  /// is referred to exists, categories stand in no circle, a slot has either a list or options, its
  /// default is one of them, nothing that must have elements is empty or repeats one, no price or
  /// count is below zero, `min` is at most `max`, nutrition is finite, and embedded products equal
  /// the products they copy.
  ///
  /// Cost: linear in the menu, with an index of every id that takes tens of bytes a thing. Shared
  /// lists are checked once, however many slots show them; embedded products are compared one by
  /// one, which for a decoded menu reads every copy. Check what comes from outside once, not what
  /// was decoded from what you wrote.
  ///
  /// - Parameter limit: The search ends at this many problems; none are looked for below 1.
  public func problems(limit: Int = 20) -> [MenuProblem] {
    guard limit > 0 else { return [] }
    var check = MenuCheck(self, limit: limit)
    check.run()
    return check.problems
  }

  /// Checks the menu as ``problems(limit:)`` does.
  ///
  /// - Throws: ``InvalidMenu`` with the first twenty problems.
  public func validate() throws(InvalidMenu) {
    let problems = problems()
    guard problems.isEmpty else { throw InvalidMenu(problems: problems) }
  }
}
