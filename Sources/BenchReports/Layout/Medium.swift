/// What a report is read on.
enum Medium {
  /// A terminal, where what is far up is lost: little is shown, and the rest pointed to.
  case terminal
  /// A page, which has room for all.
  case page
}
