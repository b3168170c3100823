#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Uses a value in a way that the optimiser cannot see through, so that it must be computed by now.
///
/// The value's address goes to the C library, whose effects no compiler knows: it is offered for a
/// thread-specific key that cannot exist, which is refused at once.
@inlinable @inline(__always)
public func blackHole<T>(_ value: T) {
  withUnsafePointer(to: value) { address in
    _ = pthread_setspecific(pthread_key_t.max, address)
  }
}

/// Keeps the optimiser from running what follows ahead of its turn.
///
/// It moves pure code out of a loop, past the clock, unless for all it knows the code may never run.
@inlinable @inline(__always)
func holdBack() {
  if pthread_setspecific(pthread_key_t.max, nil) == 0 { neverCalled() }
}

/// What the optimiser must take for possible.
@usableFromInline @inline(never)
func neverCalled() -> Never {
  preconditionFailure("there is no such thread-specific key")
}
