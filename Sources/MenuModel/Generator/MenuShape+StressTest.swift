extension MenuShape {
  /// Whether no real menu is this large, so that figures must be labelled.
  ///
  /// One store's whole menu takes about 0.2 MB of JSON. Beyond ten thousand slot options that each
  /// hold a whole product, or beyond what `large` has of anything, it would take over 10 MB or come
  /// close to it.
  public var isStressTest: Bool {
    let large = MenuShape(.large)
    let embedsAll = lists == .repeated && optionProducts == .embedded
    return products > large.products || combos > large.combos || slots > large.slots
      || options > large.options
      || (embedsAll && options > 10_000)
  }
}
