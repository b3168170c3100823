// What BenchProbes asks of Callgrind, valgrind's counter of instructions: requests that are a few
// idle instructions in a program that runs outside of it.
//
// The header is all that it takes, and a build without it only cannot count: nothing is linked.
#if defined(__has_include) && __has_include(<valgrind/callgrind.h>)

#include <valgrind/callgrind.h>

static inline _Bool callgrind_is_known(void) { return 1; }

static inline _Bool callgrind_is_running(void) { return RUNNING_ON_VALGRIND > 0; }

static inline void callgrind_start_instrumentation(void) { CALLGRIND_START_INSTRUMENTATION; }

static inline void callgrind_toggle_collection(void) { CALLGRIND_TOGGLE_COLLECT; }

static inline void callgrind_dump(const char *reason) { CALLGRIND_DUMP_STATS_AT(reason); }

#else

static inline _Bool callgrind_is_known(void) { return 0; }

static inline _Bool callgrind_is_running(void) { return 0; }

static inline void callgrind_start_instrumentation(void) {}

static inline void callgrind_toggle_collection(void) {}

static inline void callgrind_dump(const char *reason) { (void)reason; }

#endif

// About so many instructions, whatever the compiler makes of the loop around them: 96 idle ones and
// the few of the loop itself.
static inline void callgrind_idle(unsigned long hundreds) {
  for (unsigned long done = 0; done < hundreds; done++) {
    __asm__ volatile(".rept 96\n\tnop\n\t.endr");
  }
}
