#include "stacks.h"

#if defined(__linux__)

#include <errno.h>
#include <sys/mman.h>
#include <unwind.h>

// One sample's room is what the deepest stack takes, so that a walk needs no look at the end.
static char *memory;
static size_t capacity;
static size_t used;
static uint32_t deepest_stack;
static uint64_t dropped;
static uint64_t taken;

int profiler_prepare(size_t bytes, uint32_t deepest) {
  // Touched now: a page's first touch would be part of what is sampled.
  void *start = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (start == MAP_FAILED) return errno;
  memory = start;
  capacity = bytes;
  deepest_stack = deepest;
  profiler_forget();
  profiler_warm_unwinder();
  return 0;
}

void profiler_forget(void) {
  used = 0;
  dropped = 0;
  taken = 0;
  profiler_forget_paths();
}

const void *profiler_stacks(void) { return memory; }
size_t profiler_size(void) { return used; }
uint64_t profiler_dropped(void) { return dropped; }
uint64_t profiler_taken(void) { return taken; }

struct profiler_stack *profiler_next(void) {
  size_t most = sizeof(struct profiler_stack) + deepest_stack * sizeof(uintptr_t);
  if (used + most > capacity) {
    dropped += 1;
    return NULL;
  }
  return (struct profiler_stack *)(memory + used);
}

struct walk {
  struct profiler_stack *stack;
  uintptr_t *addresses;
  uintptr_t instruction;
  uintptr_t top;
  int isInside;
  // Of the frame that was seen last: where its stack ends, and where its frame pointer shows.
  uintptr_t end;
  uintptr_t frame;
};

#if defined(__x86_64__)
enum { FRAME_POINTER = 6 };
#else
enum { FRAME_POINTER = 29 };
#endif

static uintptr_t word(uintptr_t address) { return *(const uintptr_t *)address; }

// Whether the function that was interrupted has not laid out its frame yet, or no longer has it: the
// address that it returns to is then so many bytes above the end of the stack; -1 where it has it.
static int bytes_to_return(uintptr_t instruction) {
#if defined(__x86_64__)
  const uint8_t *code = (const uint8_t *)instruction;
  if (code[0] == 0x55 || code[0] == 0xc3) return 0;                        // push %rbp; ret
  if (code[0] == 0x48 && code[1] == 0x89 && code[2] == 0xe5) return 8;     // mov %rsp, %rbp
#else
  (void)instruction;
#endif
  return -1;
}

// Goes on by frame pointers where the tables for unwinding end: Swift's compiler writes none for what
// cannot throw as C++ does (making metadata, destroying values), but keeps the pointers.
static void follow_frame_pointers(struct walk *walk) {
  struct profiler_stack *stack = walk->stack;
  uintptr_t end = walk->end, frame = walk->frame;
  int bytes = stack->depth == 1 ? bytes_to_return(walk->instruction) : -1;
  while (stack->depth < deepest_stack) {
    uintptr_t address;
    if (bytes >= 0) {
      address = word(end + bytes);
      end += bytes + 8;
      bytes = -1;
    } else {
      if (frame < end || frame >= walk->top || frame % sizeof(uintptr_t) != 0) return;
      address = word(frame + sizeof(uintptr_t));
      end = frame + 2 * sizeof(uintptr_t);
      frame = word(frame);
    }
    if (end >= walk->top) {
      stack->end = PROFILER_REACHED;
      return;
    }
    if (address == 0) return;
    walk->addresses[stack->depth++] = address - 1;
  }
  stack->end = PROFILER_CUT;
}

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *argument) {
  struct walk *walk = argument;
  int before = 0;
  uintptr_t address = _Unwind_GetIPInfo(context, &before);
  // The first frames are the handler's own, and the system's that called it.
  if (!walk->isInside) {
    if (address != walk->instruction) return _URC_NO_REASON;
    walk->isInside = 1;
    before = 1;
  }
  // The stack pointer of the frame; libgcc keeps it as the frame address of the one that it called.
  if (_Unwind_GetCFA(context) >= walk->top) {
    walk->stack->end = PROFILER_REACHED;
    return _URC_END_OF_STACK;
  }
  if (walk->stack->depth == deepest_stack) {
    walk->stack->end = PROFILER_CUT;
    return _URC_END_OF_STACK;
  }
  walk->addresses[walk->stack->depth++] = before ? address : address - 1;
  walk->end = _Unwind_GetCFA(context);
  walk->frame = _Unwind_GetGR(context, FRAME_POINTER);
  return _URC_NO_REASON;
}

void profiler_keep(struct profiler_stack *stack, uintptr_t instruction, uintptr_t top) {
  struct walk walk = {stack, (uintptr_t *)(stack + 1), instruction, top, 0, 0, 0};
  stack->depth = 0;
  stack->end = PROFILER_LOST;
  _Unwind_Backtrace(step, &walk);
  if (!walk.isInside) {
    walk.addresses[stack->depth++] = instruction;
  } else if (stack->end == PROFILER_LOST) {
    follow_frame_pointers(&walk);
  }
  used += sizeof(*stack) + stack->depth * sizeof(uintptr_t);
  taken += 1;
}

static _Unwind_Reason_Code ignore(struct _Unwind_Context *context, void *argument) {
  (void)context;
  (void)argument;
  return _URC_NO_REASON;
}

void profiler_warm_unwinder(void) { _Unwind_Backtrace(ignore, NULL); }

#else

#include <errno.h>

int profiler_prepare(size_t bytes, uint32_t deepest) {
  (void)bytes;
  (void)deepest;
  return ENOTSUP;
}
void profiler_forget(void) {}
const void *profiler_stacks(void) { return NULL; }
size_t profiler_size(void) { return 0; }
uint64_t profiler_dropped(void) { return 0; }
uint64_t profiler_taken(void) { return 0; }

#endif
