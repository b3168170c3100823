// What BenchProbes reads of jemalloc, and no more: mallctl's counters.
//
// The header's own names are macros, which Swift cannot see: Debian's library exports `mallctl`,
// Homebrew's `je_mallctl`. These have one name everywhere.
#define JEMALLOC_NO_DEMANGLE
#include <jemalloc/jemalloc.h>

static inline int jemalloc_ctl(
    const char *name, void *old, size_t *old_length, void *fresh, size_t fresh_length) {
  return je_mallctl(name, old, old_length, fresh, fresh_length);
}

static inline int jemalloc_name_to_mib(const char *name, size_t *mib, size_t *mib_length) {
  return je_mallctlnametomib(name, mib, mib_length);
}

static inline int jemalloc_ctl_by_mib(
    const size_t *mib, size_t mib_length, void *old, size_t *old_length, void *fresh,
    size_t fresh_length) {
  return je_mallctlbymib(mib, mib_length, old, old_length, fresh, fresh_length);
}
