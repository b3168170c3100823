/// How objects are brought in and put away.
enum ObjectAccess: Sendable {
  /// Many at once: a SELECT a table for a whole menu, a SELECT a relation for a part of it, and a
  /// menu that replaces another is added after the old one was removed.
  case prefetching
  /// One at a time: a SELECT for every object and every relation that is touched (a fault), and a
  /// SELECT for every object that is saved (find or create).
  case faulting
}
