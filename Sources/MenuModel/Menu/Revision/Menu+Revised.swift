extension Menu {
  /// The menu as it is some changes later: products and combos gone and come, prices, texts and
  /// availability changed. It is valid where this one is, and nearly as large.
  ///
  /// About one product in twenty gives way to another of a new id; a few come besides, and one combo
  /// in twenty goes or comes. One text in eight becomes shorter or longer, one price in four moves by
  /// up to a tenth. All of it is drawn by the number, from this menu and not from the revision
  /// before, so that revisions drift nowhere and each can be made by itself.
  ///
  /// - Parameter number: 0 gives the menu itself; one number always gives one menu.
  public func revised(_ number: Int) -> Menu {
    guard number != 0 else { return self }
    var reviser = Reviser(self, number)
    return reviser.revised()
  }
}
