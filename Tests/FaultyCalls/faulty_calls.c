#define _GNU_SOURCE
#include "include/faulty_calls.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char folder[PATH_MAX];
static int log_to = -1;
static long target;
static int fault;
static int is_active;
static long count;

// The call's number, 0 where it is none of ours; the error to give, 0 for none; whether to cut it short.
struct call {
  long number;
  int error;
  int is_short;
};

// The library's own function behind the one of ours.
#define REAL(name)                                                    \
  static __typeof__(name) *real;                                      \
  if (!real) real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

void faulty_calls_begin(const char *path, int log, long number, int what) {
  snprintf(folder, sizeof folder, "%s", path);
  log_to = log;
  target = number;
  fault = what;
  __atomic_store_n(&count, 0, __ATOMIC_SEQ_CST);
  is_active = 1;
}

long faulty_calls_end(void) {
  is_active = 0;
  return __atomic_load_n(&count, __ATOMIC_SEQ_CST);
}

// By number: the log's own writes must not be seen.
static void put(const char *text) {
  if (log_to >= 0) syscall(SYS_write, log_to, text, strlen(text));
}

void faulty_calls_note(const char *text) {
  char line[256];
  snprintf(line, sizeof line, "%s\n", text);
  if (is_active) put(line);
}

// The part of a path below the folder, `.` for the folder itself; NULL for any other.
static const char *below(const char *path) {
  size_t length = strlen(folder);
  if (strncmp(path, folder, length) != 0) return NULL;
  while (path[length] == '/') length++;
  if (path[length] == 0) return ".";
  return path[length - 1] == '/' ? path + length : NULL;
}

// A path as it is from the root; `buffer` holds PATH_MAX bytes.
static const char *absolute(int at, const char *path, char *buffer) {
  if (path[0] == '/') return path;
  char link[64];
  snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length < 0) return path;
  snprintf(buffer + length, PATH_MAX - length, "/%s", path);
  return buffer;
}

static _Noreturn void die(void) {
  kill(getpid(), SIGKILL);
  for (;;) pause();
}

// Counts a call on a path, writes it down, and lets come what is to come before it.
static struct call enter(const char *name, const char *path, const char *detail) {
  struct call call = {0, 0, 0};
  const char *file = below(path);
  if (!file) return call;
  call.number = __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
  char line[2 * PATH_MAX + 64];
  snprintf(line, sizeof line, "%s %s%s%s\n", name, file, *detail ? " " : "", detail);
  put(line);
  if (call.number != target) return call;
  switch (fault) {
    case FAULTY_KILL_BEFORE: die();
    case FAULTY_STOP_BEFORE: kill(getpid(), SIGSTOP); break;
    case FAULTY_ENOSPC: call.error = ENOSPC; break;
    case FAULTY_EIO: call.error = EIO; break;
    case FAULTY_SHORT: call.is_short = 1; break;
  }
  return call;
}

static struct call enter_path(const char *name, int at, const char *path, const char *detail) {
  struct call none = {0, 0, 0};
  if (!is_active) return none;
  int error = errno;
  char buffer[PATH_MAX];
  struct call call = enter(name, absolute(at, path, buffer), detail);
  errno = error;
  return call;
}

static struct call enter_descriptor(const char *name, int descriptor, const char *detail) {
  struct call call = {0, 0, 0};
  if (!is_active) return call;
  int error = errno;
  char link[64], path[PATH_MAX], more[128];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length > 0) {
    path[length] = 0;
    int is_sync = fcntl(descriptor, F_GETFL) & O_DSYNC;
    snprintf(more, sizeof more, "%s%s", detail, is_sync ? " sync" : "");
    call = enter(name, path, more);
  }
  errno = error;
  return call;
}

static void leave(struct call call) {
  if (call.number && call.number == target && fault == FAULTY_KILL_AFTER) die();
}

// Makes the call unless it is to fail; what the real one gives is the function's result.
#define MAKE(type, call, expression)   \
  if (call.error) {                    \
    errno = call.error;                \
    return -1;                         \
  }                                    \
  type result = expression;            \
  leave(call);                         \
  return result

#define OPEN(name)                                                                \
  int name(const char *path, int flags, ...) {                                    \
    REAL(name);                                                                   \
    va_list rest;                                                                 \
    va_start(rest, flags);                                                        \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;       \
    va_end(rest);                                                                 \
    struct call call = {0, 0, 0};                                                 \
    if (flags & (O_CREAT | O_TRUNC)) call = enter_path("open", AT_FDCWD, path, ""); \
    MAKE(int, call, real(path, flags, mode));                                     \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                              \
  int name(int at, const char *path, int flags, ...) {                            \
    REAL(name);                                                                   \
    va_list rest;                                                                 \
    va_start(rest, flags);                                                        \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;       \
    va_end(rest);                                                                 \
    struct call call = {0, 0, 0};                                                 \
    if (flags & (O_CREAT | O_TRUNC)) call = enter_path("open", at, path, "");     \
    MAKE(int, call, real(at, path, flags, mode));                                 \
  }
OPENAT(openat)
OPENAT(openat64)

#define CREAT(name)                                              \
  int name(const char *path, mode_t mode) {                      \
    REAL(name);                                                  \
    struct call call = enter_path("open", AT_FDCWD, path, "");   \
    MAKE(int, call, real(path, mode));                           \
  }
CREAT(creat)
CREAT(creat64)

// An offset below 0 stands for the descriptor's own.
static struct call enter_write(const char *name, int descriptor, long long offset, size_t length) {
  struct call none = {0, 0, 0};
  if (!is_active) return none;
  int error = errno;
  char detail[64];
  if (offset < 0) offset = lseek(descriptor, 0, SEEK_CUR);
  snprintf(detail, sizeof detail, "%lld %zu", offset, length);
  errno = error;
  return enter_descriptor(name, descriptor, detail);
}

static size_t taken(struct call call, size_t length) {
  return call.is_short && length > 1 ? length / 2 : length;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  REAL(write);
  struct call call = enter_write("write", descriptor, -1, length);
  MAKE(ssize_t, call, real(descriptor, bytes, taken(call, length)));
}

#define PWRITE(name, type)                                                       \
  ssize_t name(int descriptor, const void *bytes, size_t length, type offset) {  \
    REAL(name);                                                                  \
    struct call call = enter_write("write", descriptor, offset, length);         \
    MAKE(ssize_t, call, real(descriptor, bytes, taken(call, length), offset));   \
  }
PWRITE(pwrite, off_t)
PWRITE(pwrite64, off64_t)

static size_t total(const struct iovec *parts, int number) {
  size_t sum = 0;
  for (int index = 0; index < number; index++) sum += parts[index].iov_len;
  return sum;
}

// A short one writes half of its first part.
static struct iovec half(const struct iovec *parts) {
  struct iovec part = parts[0];
  part.iov_len = part.iov_len > 1 ? part.iov_len / 2 : part.iov_len;
  return part;
}

ssize_t writev(int descriptor, const struct iovec *parts, int number) {
  REAL(writev);
  struct call call = enter_write("write", descriptor, -1, total(parts, number));
  if (call.is_short && number > 0) {
    struct iovec part = half(parts);
    return real(descriptor, &part, 1);
  }
  MAKE(ssize_t, call, real(descriptor, parts, number));
}

#define PWRITEV(name, type)                                                                  \
  ssize_t name(int descriptor, const struct iovec *parts, int number, type offset) {         \
    REAL(name);                                                                              \
    struct call call = enter_write("write", descriptor, offset, total(parts, number));       \
    if (call.is_short && number > 0) {                                                       \
      struct iovec part = half(parts);                                                       \
      return real(descriptor, &part, 1, offset);                                             \
    }                                                                                        \
    MAKE(ssize_t, call, real(descriptor, parts, number, offset));                            \
  }
PWRITEV(pwritev, off_t)
PWRITEV(pwritev64, off64_t)

int fsync(int descriptor) {
  REAL(fsync);
  struct call call = enter_descriptor("sync", descriptor, "");
  MAKE(int, call, real(descriptor));
}

int fdatasync(int descriptor) {
  REAL(fdatasync);
  struct call call = enter_descriptor("sync", descriptor, "");
  MAKE(int, call, real(descriptor));
}

#define FTRUNCATE(name, type)                                          \
  int name(int descriptor, type length) {                              \
    REAL(name);                                                        \
    char detail[32];                                                   \
    snprintf(detail, sizeof detail, "%lld", (long long)length);        \
    struct call call = enter_descriptor("truncate", descriptor, detail); \
    MAKE(int, call, real(descriptor, length));                         \
  }
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

// Gives its error instead of setting errno.
#define FALLOCATE(name, type)                                          \
  int name(int descriptor, type offset, type length) {                 \
    REAL(name);                                                        \
    struct call call = enter_write("allocate", descriptor, offset, length); \
    if (call.error) return call.error;                                 \
    int result = real(descriptor, offset, length);                     \
    leave(call);                                                       \
    return result;                                                     \
  }
FALLOCATE(posix_fallocate, off_t)
FALLOCATE(posix_fallocate64, off64_t)

static struct call enter_rename(int from_at, const char *from, int to_at, const char *to) {
  char buffer[PATH_MAX];
  const char *target = is_active ? below(absolute(to_at, to, buffer)) : NULL;
  return enter_path("rename", from_at, from, target ? target : to);
}

int rename(const char *from, const char *to) {
  REAL(rename);
  struct call call = enter_rename(AT_FDCWD, from, AT_FDCWD, to);
  MAKE(int, call, real(from, to));
}

int renameat(int from_at, const char *from, int to_at, const char *to) {
  REAL(renameat);
  struct call call = enter_rename(from_at, from, to_at, to);
  MAKE(int, call, real(from_at, from, to_at, to));
}

int renameat2(int from_at, const char *from, int to_at, const char *to, unsigned flags) {
  REAL(renameat2);
  struct call call = enter_rename(from_at, from, to_at, to);
  MAKE(int, call, real(from_at, from, to_at, to, flags));
}

int unlink(const char *path) {
  REAL(unlink);
  struct call call = enter_path("unlink", AT_FDCWD, path, "");
  MAKE(int, call, real(path));
}

int unlinkat(int at, const char *path, int flags) {
  REAL(unlinkat);
  struct call call = enter_path("unlink", at, path, "");
  MAKE(int, call, real(at, path, flags));
}

int mkdir(const char *path, mode_t mode) {
  REAL(mkdir);
  struct call call = enter_path("mkdir", AT_FDCWD, path, "");
  MAKE(int, call, real(path, mode));
}

int rmdir(const char *path) {
  REAL(rmdir);
  struct call call = enter_path("rmdir", AT_FDCWD, path, "");
  MAKE(int, call, real(path));
}

// Fails on every file if FAULTY_LOCKS is set, as on a network drive without locks.
int flock(int descriptor, int operation) {
  REAL(flock);
  if (getenv("FAULTY_LOCKS")) {
    errno = ENOLCK;
    return -1;
  }
  return real(descriptor, operation);
}

int msync(void *start, size_t length, int flags) {
  REAL(msync);
  // Whose memory it is isn't known: of a store whose mappings are read it never comes.
  struct call call = {0, 0, 0};
  if (is_active) call = enter("msync", folder, "");
  MAKE(int, call, real(start, length, flags));
}

// Stores through a writable mapping go unseen: the mapping itself is the call.
#define MMAP(name, type)                                                                   \
  void *name(void *start, size_t length, int rights, int flags, int descriptor, type offset) { \
    REAL(name);                                                                            \
    struct call call = {0, 0, 0};                                                          \
    if ((rights & PROT_WRITE) && (flags & MAP_SHARED) && descriptor >= 0)                  \
      call = enter_descriptor("map", descriptor, "");                                      \
    if (call.error) {                                                                      \
      errno = call.error;                                                                  \
      return MAP_FAILED;                                                                   \
    }                                                                                      \
    void *result = real(start, length, rights, flags, descriptor, offset);                 \
    leave(call);                                                                           \
    return result;                                                                         \
  }
MMAP(mmap, off_t)
MMAP(mmap64, off64_t)
#endif
