// What BenchProbes reads of jemalloc, and no more: mallctl's counters.
#include <jemalloc/jemalloc.h>
