#define _GNU_SOURCE
#include "CProfiler.h"

#include <errno.h>

#ifdef __linux__
#include <sys/vfs.h>
#endif

int64_t file_system_number(const char *path) {
#ifdef __linux__
  struct statfs information;
  return statfs(path, &information) == 0 ? (int64_t)(uint32_t)information.f_type : -1;
#else
  (void)path;
  errno = ENOTSUP;
  return -1;
#endif
}
