extension SequentialTest {
  /// How many gates of unchanged code were red in the self-test of these ``rules``. `Reports/gate-selftest.md` counts
  /// them, and `scripts/lab check` compares both.
  package static let selfTest: (red: Int, of: Int) = (red: 0, of: 50)
}
