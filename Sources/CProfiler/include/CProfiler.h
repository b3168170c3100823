// Takes stacks of one thread while a phase runs: at moments of a timer, or at each call of the system.
//
// Nothing here allocates, locks or prints once it is prepared: what is taken goes into memory laid out
// before. On systems other than Linux, and for calls on processors other than x86-64, preparing says
// ENOTSUP. One thread at a time; not for use from several.
#ifndef CPROFILER_H
#define CPROFILER_H

#include <stddef.h>
#include <stdint.h>

// How far a stack went.
enum profiler_end {
  // Up to the phase's own frame.
  PROFILER_REACHED = 0,
  // It is deeper than there was room for.
  PROFILER_CUT = 1,
  // The unwinder knew no further.
  PROFILER_LOST = 2,
};

// A stack, followed in memory by its `depth` addresses, the innermost first.
//
// Of a frame that made a call it is the address of the call's last byte, so that an address always lies
// within what it is of.
struct profiler_stack {
  uint32_t depth;
  uint32_t end;
  // Of a sample: so many moments of the timer the thread was at work, and so many it waited. Of a call:
  // its number, and what it returned.
  int64_t first;
  int64_t second;
  // Of a call: nanoseconds that it took; of a sample: 0.
  int64_t duration;
  // Of a call: where its path begins in `profiler_paths`, 0 for none.
  uint64_t path;
};

// Lays out memory for so many bytes of stacks of at most so many frames; 0, or an errno.
int profiler_prepare(size_t bytes, uint32_t deepest);

// Gets ready to sample the calling thread, a moment each `period` nanoseconds; 0, or an errno.
int profiler_prepare_timer(int64_t period);

// Begins to sample the calling thread; to be called from the phase's own frame, which calls the work next.
void profiler_begin_samples(void);

// Ends it.
void profiler_end_samples(void);

// Gets ready to follow the calling thread's calls of the system; 0, or an errno.
int profiler_prepare_calls(void);

// Begins to follow them; to be called from the phase's own frame, which calls the work next.
void profiler_begin_calls(void);

// Ends it.
void profiler_end_calls(void);

// Where the first stack is, and how many bytes the stacks take.
const void *profiler_stacks(void);
size_t profiler_size(void);

// How many stacks were taken.
uint64_t profiler_taken(void);

// Paths of files, each ended by a 0; the first is at 1.
const char *profiler_paths(void);

// How many paths there was no room for.
uint64_t profiler_paths_missed(void);

// How many stacks there was no room for.
uint64_t profiler_dropped(void);

// Whether following calls ended early the last time, since the work started a thread or a process, or was
// interrupted by a signal of its own.
int profiler_calls_ended(void);

// Forgets all that was taken.
void profiler_forget(void);

// The number by which Linux tells the kind of file system that keeps a path (statfs(2)), which Swift's module
// of the C library leaves out; -1 where it cannot say.
int64_t file_system_number(const char *path);

// How many threads can be started at once, up to so many and to 256; all have ended when it returns.
int startable_threads(int most);

// Has the system kill this process when the thread that started it ends (prctl(2), which Swift cannot call).
// Does nothing on systems other than Linux.
void end_with_parent(void);

// The functions by which a jemalloc that is loaded is asked, as its header names them: builds may have a prefix.
const char *jemalloc_look_name(void);
const char *jemalloc_ask_name(void);

// jemalloc's number for all arenas together.
unsigned jemalloc_all_arenas(void);

#endif
