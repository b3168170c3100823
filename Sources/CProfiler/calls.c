#define _GNU_SOURCE
#include "stacks.h"

#include <errno.h>

#if defined(__linux__) && defined(__x86_64__)

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

// Calls are followed by the system's own "syscall user dispatch" (kernel documentation,
// admin-guide/syscall-user-dispatch): with the selector set, each call that the thread makes outside of
// one range of code becomes a signal instead, whose handler makes the call from within that range, and
// times it. So every call is seen, whoever makes it, and nothing has to be put in the place of a library.
#ifndef PR_SET_SYSCALL_USER_DISPATCH
#define PR_SET_SYSCALL_USER_DISPATCH 59
#define PR_SYS_DISPATCH_OFF 0
#define PR_SYS_DISPATCH_ON 1
#endif

enum { ALLOW = 0, BLOCK = 1 };
static volatile char selector = ALLOW;
static uintptr_t top;
static int ended;

// The range: one call, and the return from a signal's handler.
__asm__(
    ".pushsection .text.profiler_calls,\"ax\",@progbits\n"
    ".balign 16\n"
    ".globl profiler_range\n"
    ".hidden profiler_range\n"
    "profiler_range:\n"
    ".globl profiler_call\n"
    ".hidden profiler_call\n"
    ".type profiler_call, @function\n"
    // (number, first … fifth, sixth on the stack), as a C function is called.
    "profiler_call:\n"
    ".cfi_startproc\n"
    "mov %rdi, %rax\n"
    "mov %rsi, %rdi\n"
    "mov %rdx, %rsi\n"
    "mov %rcx, %rdx\n"
    "mov %r8, %r10\n"
    "mov %r9, %r8\n"
    "mov 8(%rsp), %r9\n"
    "syscall\n"
    "ret\n"
    ".cfi_endproc\n"
    // An unwinder looks for what a return address minus 1 is in: that must not be the call above. By
    // these bytes, with no frame described, it knows the return from a handler.
    "nop\n"
    ".globl profiler_restorer\n"
    ".hidden profiler_restorer\n"
    "profiler_restorer:\n"
    "mov $15, %rax\n"
    "syscall\n"
    // The system looks where the call would go on, which is to be within the range too.
    "nop\n"
    ".globl profiler_range_end\n"
    ".hidden profiler_range_end\n"
    "profiler_range_end:\n"
    ".popsection\n");

extern const char profiler_range[], profiler_range_end[];
extern void profiler_restorer(void);
extern long profiler_call(long number, long, long, long, long, long, long);

// Paths seen, one after the other, each ended by a 0.
static char paths[1 << 20];
static size_t path_end = 1;
static uint64_t paths_missed;
// The path of each open file, once it was looked up.
static uint32_t path_of_file[1024];

const char *profiler_paths(void) { return paths; }
uint64_t profiler_paths_missed(void) { return paths_missed; }
int profiler_calls_ended(void) { return ended; }

void profiler_forget_paths(void) {
  path_end = 1;
  paths_missed = 0;
  memset(path_of_file, 0, sizeof(path_of_file));
}

static uint64_t keep_path(const char *text, size_t length) {
  if (path_end + length + 1 > sizeof(paths)) {
    paths_missed += 1;
    return 0;
  }
  size_t start = path_end;
  memcpy(paths + start, text, length);
  paths[start + length] = 0;
  path_end += length + 1;
  return start;
}

static uint64_t path_of(long number) {
  // A file's number is an int, whatever the rest of the register holds.
  int file = (int)number;
  if (file < 0) return 0;
  if (file >= 1024) {
    paths_missed += 1;
    return 0;
  }
  if (path_of_file[file]) return path_of_file[file];
  char link[40], text[4096];
  snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, text, sizeof(text));
  if (length <= 0) return 0;
  uint64_t start = keep_path(text, (size_t)length);
  path_of_file[file] = (uint32_t)start;
  return start;
}

// What was looked up of files that a call puts others in the place of, or closes.
static void forget_files(long number, const long *arguments) {
  int file = (int)(number == SYS_close ? arguments[0] : arguments[1]);
  if (number == SYS_close_range) {
    memset(path_of_file, 0, sizeof(path_of_file));
  } else if (number == SYS_close || number == SYS_dup2 || number == SYS_dup3) {
    if (file >= 0 && file < 1024) path_of_file[file] = 0;
  }
}

// The file that a call is about, by its path.
static uint64_t path_of_call(long number, const long *arguments, long result) {
  const char *name = NULL;
  // The system could not read the name either.
  if (result == -EFAULT) return 0;
  switch (number) {
    case SYS_open: case SYS_openat: case SYS_creat: return result >= 0 ? path_of(result) : 0;
    case SYS_read: case SYS_pread64: case SYS_readv: case SYS_preadv: case SYS_preadv2:
    case SYS_write: case SYS_pwrite64: case SYS_writev: case SYS_pwritev: case SYS_pwritev2:
    case SYS_fsync: case SYS_fdatasync: case SYS_sync_file_range: case SYS_syncfs:
    case SYS_ftruncate: case SYS_fallocate: case SYS_lseek: case SYS_fstat:
    case SYS_fcntl: case SYS_flock: case SYS_getdents64: case SYS_fchmod: case SYS_fadvise64:
    // Of two files the one that is written.
    case SYS_sendfile:
      return path_of(arguments[0]);
    case SYS_copy_file_range: return path_of(arguments[2]);
    case SYS_mmap: return path_of(arguments[4]);
    case SYS_unlink: case SYS_stat: case SYS_lstat: case SYS_access: case SYS_truncate:
    case SYS_mkdir: case SYS_rmdir: case SYS_rename: case SYS_link: case SYS_readlink:
    case SYS_chmod:
      name = (const char *)arguments[0];
      break;
    case SYS_unlinkat: case SYS_newfstatat: case SYS_faccessat: case SYS_faccessat2:
    case SYS_mkdirat: case SYS_renameat: case SYS_renameat2: case SYS_statx: case SYS_readlinkat:
    case SYS_linkat:
      name = (const char *)arguments[1];
      // By an empty name they mean the open file itself (AT_EMPTY_PATH), as glibc's fstat does.
      if (name && !*name) return path_of(arguments[0]);
      break;
  }
  return name && *name ? keep_path(name, strnlen(name, 4096)) : 0;
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static int starts_another(long number) {
  return number == SYS_clone || number == SYS_clone3 || number == SYS_fork || number == SYS_vfork;
}

static void on_call(int signal, siginfo_t *info, void *argument) {
  (void)signal;
  selector = ALLOW;
  int saved = errno;
  ucontext_t *context = argument;
  greg_t *registers = context->uc_mcontext.gregs;
  long number = info->si_syscall;
  // What starts a thread or a process returns twice, and once on another stack; what ends another signal's
  // handler goes by that handler's stack. It is made anew, by who meant to, and no call is followed from
  // then on.
  if (starts_another(number) || number == SYS_rt_sigreturn) {
    registers[REG_RAX] = number;
    registers[REG_RIP] -= 2;
    ended = 1;
    return;
  }
  long arguments[6] = {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX],
                       registers[REG_R10], registers[REG_R8], registers[REG_R9]};
  uint64_t closed = number == SYS_close ? path_of(arguments[0]) : 0;
  forget_files(number, arguments);
  int64_t start = now();
  long result = profiler_call(number, arguments[0], arguments[1], arguments[2], arguments[3],
                              arguments[4], arguments[5]);
  int64_t end = now();
  registers[REG_RAX] = result;
  // What the call did to the thread's signal mask, the return from this handler would undo. The system ends a
  // process whose call becomes a signal that it blocks, as libc blocks all of them to start a thread.
  if (number == SYS_rt_sigprocmask) {
    profiler_call(SYS_rt_sigprocmask, SIG_SETMASK, 0, (long)&context->uc_sigmask, 8, 0, 0);
    sigdelset(&context->uc_sigmask, SIGSYS);
  }
  struct profiler_stack *stack = profiler_next();
  if (stack) {
    stack->first = number;
    stack->second = result;
    stack->duration = end - start;
    stack->path = number == SYS_close ? closed : path_of_call(number, arguments, result);
    // The instruction after the call, which is where it was interrupted.
    profiler_keep(stack, (uintptr_t)registers[REG_RIP], top);
  }
  errno = saved;
  selector = BLOCK;
}

// The kernel's own form of what sigaction sets; libc's would return from the handler by code outside of
// the range.
struct kernel_action {
  void (*handler)(int, siginfo_t *, void *);
  unsigned long flags;
  void (*restorer)(void);
  unsigned long mask;
};

int profiler_prepare_calls(void) {
  struct kernel_action action = {on_call, SA_SIGINFO | SA_NODEFER | 0x04000000, profiler_restorer, 0};
  if (syscall(SYS_rt_sigaction, SIGSYS, &action, NULL, 8) != 0) return errno;
  // Tried once: an older kernel, or a container's filter, does not know it.
  if (prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, profiler_range,
            profiler_range_end - profiler_range, &selector) != 0)
    return errno;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
  return 0;
}

__attribute__((noinline)) void profiler_begin_calls(void) {
  top = (uintptr_t)__builtin_dwarf_cfa();
  memset(path_of_file, 0, sizeof(path_of_file));
  ended = 0;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON, profiler_range,
        profiler_range_end - profiler_range, &selector);
  selector = BLOCK;
}

void profiler_end_calls(void) {
  selector = ALLOW;
  prctl(PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_OFF, 0, 0, 0);
}

#else

int profiler_prepare_calls(void) { return ENOTSUP; }
void profiler_begin_calls(void) {}
void profiler_end_calls(void) {}
const char *profiler_paths(void) { return ""; }
uint64_t profiler_paths_missed(void) { return 0; }
void profiler_forget_paths(void) {}
int profiler_calls_ended(void) { return 0; }

#endif
