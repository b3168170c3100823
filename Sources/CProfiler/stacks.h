// The memory that stacks go into, and the walk that fills it. For the files beside this one.
#ifndef PROFILER_STACKS_H
#define PROFILER_STACKS_H

#include "CProfiler.h"

// Room for one more stack, or NULL where there is none, which is counted.
struct profiler_stack *profiler_next(void);

// Walks from an interrupted instruction to the frame whose stack pointer is `top`, and keeps the stack.
void profiler_keep(struct profiler_stack *stack, uintptr_t instruction, uintptr_t top);

// Makes the unwinder do what it does the first time only.
void profiler_warm_unwinder(void);

// Forgets the paths that stacks of calls point to.
void profiler_forget_paths(void);

#endif
