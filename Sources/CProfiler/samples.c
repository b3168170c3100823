#define _GNU_SOURCE
#include "stacks.h"

#include <errno.h>

#if defined(__linux__)

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

static timer_t timer;
static int64_t period;
static volatile sig_atomic_t is_sampling;
static uintptr_t top;
static int64_t last_wall;
static int64_t last_work;
static uint64_t seed;

static int64_t now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static uintptr_t instruction(const ucontext_t *context) {
#if defined(__x86_64__)
  return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (uintptr_t)context->uc_mcontext.pc;
#else
  return 0;
#endif
}

// A part of a period (xorshift; Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003).
static int64_t drawn(void) {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return (int64_t)(seed % (uint64_t)period);
}

// A moment while the thread waited in the system is told of when it goes on, together with the others of
// the same wait: the signal says how many there were.
static void on_moment(int signal, siginfo_t *info, void *context) {
  (void)signal;
  if (!is_sampling || info->si_code != SI_TIMER) return;
  int saved = errno;
  int64_t wall = now(CLOCK_MONOTONIC), work = now(CLOCK_THREAD_CPUTIME_ID);
  struct profiler_stack *stack = profiler_next();
  if (stack) {
    int64_t moments = 1 + info->si_overrun;
    // Its moments are shared out as the time since the last was, rounded up as often as the part that is
    // left over: right in the mean.
    double passed = (double)(wall - last_wall), worked = (double)(work - last_work);
    double part = passed > worked ? (passed - worked) / passed : 0;
    int64_t waited = (int64_t)(part * (double)moments + (double)drawn() / (double)period);
    memset(stack, 0, sizeof(*stack));
    stack->first = moments - waited;
    stack->second = waited;
    profiler_keep(stack, instruction(context), top);
  }
  last_wall = wall;
  last_work = work;
  errno = saved;
}

int profiler_prepare_timer(int64_t nanoseconds) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = on_moment;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGPROF, &action, NULL) != 0) return errno;
  struct sigevent event;
  memset(&event, 0, sizeof(event));
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  // glibc gives the member no name of its own before 2.38.
  event._sigev_un._tid = (int)syscall(SYS_gettid);
  // Not the thread's own clock, whose timers go off with the scheduler's ticks only, 250 a second on
  // Debian's kernels, and never while the thread waits.
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return errno;
  period = nanoseconds;
  // Another in each process: the same draws would put the samples of all of them into the same places.
  seed = ((uint64_t)now(CLOCK_MONOTONIC) * 0x9e3779b97f4a7c15) | 1;
  return 0;
}

__attribute__((noinline)) void profiler_begin_samples(void) {
  top = (uintptr_t)__builtin_dwarf_cfa();
  // The first moment is drawn: a phase shorter than a period would else never have one, or always have it
  // in the same place.
  int64_t start = 1 + drawn();
  struct itimerspec times = {
      .it_interval = {period / 1000000000, period % 1000000000},
      .it_value = {start / 1000000000, start % 1000000000}};
  last_wall = now(CLOCK_MONOTONIC);
  last_work = now(CLOCK_THREAD_CPUTIME_ID);
  timer_settime(timer, 0, &times, NULL);
  // Last: a moment within that call is not of the phase.
  is_sampling = 1;
}

void profiler_end_samples(void) {
  // First: a moment on its way is of the phase no longer.
  is_sampling = 0;
  struct itimerspec none;
  memset(&none, 0, sizeof(none));
  timer_settime(timer, 0, &none, NULL);
}

#else

int profiler_prepare_timer(int64_t nanoseconds) {
  (void)nanoseconds;
  return ENOTSUP;
}
void profiler_begin_samples(void) {}
void profiler_end_samples(void) {}

#endif
