// What the process may use, and how its C library hands out memory.
#define _GNU_SOURCE
#include "include/wi_process.h"

#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

uint32_t wi_processors(void) {
#ifdef __linux__
  cpu_set_t set;
  // Fails where the machine has more processors than the set holds.
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    int count = CPU_COUNT(&set);
    if (count > 0) return (uint32_t)count;
  }
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? (uint32_t)online : 1;
}

void wi_keep_one_heap(void) {
#ifdef __GLIBC__
  mallopt(M_ARENA_MAX, 1);
  mallopt(M_MMAP_THRESHOLD, 128 * 1024);
  mallopt(M_TRIM_THRESHOLD, 128 * 1024);
#endif
}
