#define _GNU_SOURCE
#include "CProfiler.h"

#include <pthread.h>

#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#endif

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *pass(void *unused) {
  pthread_mutex_lock(&gate);
  pthread_mutex_unlock(&gate);
  return unused;
}

int startable_threads(int most) {
  enum { ROOM = 256 };
  pthread_t threads[ROOM];
  int count = 0;
  if (most > ROOM) most = ROOM;
  // No thread ends before all have started.
  pthread_mutex_lock(&gate);
  while (count < most && pthread_create(&threads[count], NULL, pass, NULL) == 0) count++;
  pthread_mutex_unlock(&gate);
  for (int index = 0; index < count; index++) pthread_join(threads[index], NULL);
  return count;
}

void end_with_parent(void) {
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}
