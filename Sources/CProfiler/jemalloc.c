// Nothing of jemalloc is linked: its header only says what its functions are called.
#include "CProfiler.h"

#if __has_include(<jemalloc/jemalloc.h>)
// The header forgets the names at its end otherwise.
#define JEMALLOC_NO_DEMANGLE
#include <jemalloc/jemalloc.h>
#else
// As jemalloc is built unless a prefix is asked for.
#define je_mallctlnametomib mallctlnametomib
#define je_mallctlbymib mallctlbymib
#define MALLCTL_ARENAS_ALL 4096
#endif

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

const char *jemalloc_look_name(void) { return TEXT(je_mallctlnametomib); }

const char *jemalloc_ask_name(void) { return TEXT(je_mallctlbymib); }

unsigned jemalloc_all_arenas(void) { return MALLCTL_ARENAS_ALL; }
