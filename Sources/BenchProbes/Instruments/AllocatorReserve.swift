/// Freed memory that jemalloc keeps resident, to hand it out again sooner.
///
/// Without jemalloc there is nothing to do it with: Swift cannot import glibc's `malloc_trim`.
struct AllocatorReserve {
  #if Jemalloc
    private let flush = try? JemallocControl("thread.tcache.flush")
    // 4096 is MALLCTL_ARENAS_ALL.
    private let purge = try? JemallocControl("arena.4096.purge")

    /// Gives it back to the system.
    func release() {
      flush?.call()
      purge?.call()
    }
  #else
    /// Does nothing.
    func release() {}
  #endif
}
